// The store of a match: every turn of it, added event by event from the network or
// from a recording. It knows no rules: the game's story turns events into positions.

import { AnswerLog } from "./answers.ts";
import type { GameEvent } from "./events.ts";
import type {
  EndEvent,
  FeedEvent,
  IncompleteEvent,
  LobbyEvent,
  Seat,
  StartEvent,
  TurnEvent,
} from "./feed.ts";
import type { Story } from "./story.ts";
import { mapName, visible } from "./text.ts";

/** How long a match is replayed without a pause, in milliseconds: less than half a frame at 60 Hz. */
const SLICE = 6;

/** Holds one match at a time. */
export class Store {
  start: StartEvent | null = null;
  end: EndEvent | null = null;
  /** Why a recording has no end. */
  incomplete: IncompleteEvent | null = null;
  lobby: LobbyEvent | null = null;
  viewers = 0;
  /** The first player that sent debug information, or -1. */
  talker = -1;
  /** The match as its game tells it; null between matches. */
  story: Story | null = null;
  answers = new AnswerLog([], 0, 0);

  private turns: TurnEvent[] = [];
  private unseen = new Set<number>();

  constructor(private readonly storyFor: (start: StartEvent, answers: AnswerLog) => Story) {}

  /** The number of events of the history that the store holds: a page that reconnects asks for the rest. */
  get received(): number {
    return this.start ? 1 + this.last + (this.end ? 1 : 0) : 0;
  }

  /** The newest turn. */
  get last(): number {
    return this.turns.length;
  }

  /** The number of turns that the match has, as announced or as played; at least 1. */
  get total(): number {
    return Math.max(this.start?.turns ?? 0, this.last, 1);
  }

  /** No more turns will come. */
  get over(): boolean {
    return this.end !== null || this.incomplete !== null;
  }

  get seats(): Seat[] {
    return this.start?.seats ?? [];
  }

  /** What happened, in the order of the turns. */
  get events(): readonly GameEvent[] {
    return this.story?.events ?? [];
  }

  append(event: FeedEvent): void {
    switch (event.type) {
      case "start":
        return this.begin({
          ...event,
          map: mapName(event.map),
          seats: event.seats.map((s) => ({
            ...s,
            nickname: visible(s.nickname),
            label: visible(s.label),
          })),
        });
      case "turn":
        return this.addTurn(event);
      case "end":
        this.end = event;
        this.answers.noteEndings(event.printed);
        return this.story?.close(event);
      case "incomplete":
        this.incomplete = event;
        return;
      case "lobby":
        return this.openLobby(event);
      case "viewers":
        this.viewers = event.count;
    }
  }

  /** A lobby is that of the next match: nothing of the last one is kept. */
  private openLobby(event: LobbyEvent): void {
    this.lobby = {
      ...event,
      map: mapName(event.map),
      present: event.present.map((p) => ({
        ...p,
        nickname: visible(p.nickname),
        label: visible(p.label ?? ""),
        language: visible(p.language ?? ""),
      })),
    };
    if (!this.start) return;
    this.start = this.end = this.incomplete = this.story = null;
    this.clear();
  }

  private begin(event: StartEvent): void {
    this.start = event;
    this.end = this.incomplete = null;
    this.lobby = null;
    this.clear();
    this.story = this.storyFor(event, this.answers);
  }

  private clear(): void {
    this.turns = [];
    this.unseen = new Set();
    this.talker = -1;
    this.answers = new AnswerLog(
      this.seats,
      this.start?.interval_ms ?? 0,
      this.start?.limit_ms ?? 0,
    );
  }

  /** Adds a turn. Turns that were skipped on the way to a whole state stay empty until fill. */
  private addTurn(event: TurnEvent): void {
    if (!this.start || event.turn <= this.last) return;
    if (event.turn > this.last + 1 && !event.state) return;
    for (let k = this.last + 1; k < event.turn; k++) {
      this.unseen.add(k);
      this.apply({ type: "turn", turn: k, at_ms: event.at_ms, winner: -1 });
    }
    this.apply(event);
  }

  /** The first and the last turn that are missing, or null. */
  get gap(): { from: number; to: number } | null {
    if (this.unseen.size === 0) return null;
    return { from: Math.min(...this.unseen), to: Math.max(...this.unseen) };
  }

  /**
   * Puts missing turns in their places, and replays the match beside the one that
   * is shown, in slices: pause is called between them.
   */
  async fill(missing: FeedEvent[], pause: () => Promise<void>): Promise<void> {
    const { start, turns, unseen } = this;
    if (!start) return;
    for (const e of missing) if (e.type === "turn" && unseen.delete(e.turn)) turns[e.turn - 1] = e;
    const again = new Store(this.storyFor);
    again.begin(start);
    for (let until = performance.now() + SLICE; again.last < turns.length;) {
      again.apply(turns[again.last]);
      if (performance.now() < until) continue;
      await pause();
      if (this.turns !== turns) return; // another match has begun
      until = performance.now() + SLICE;
    }
    const { answers, story } = again;
    answers.noteEndings(this.end?.printed);
    if (this.end) story?.close(this.end);
    Object.assign(this, { answers, story });
  }

  private apply(event: TurnEvent): void {
    this.turns.push(event);
    if (this.talker < 0)
      this.talker = event.answers?.find((a) => a.debug !== undefined)?.player ?? -1;
    this.story?.add(event, this.answers.add(event));
  }

  event(turn: number): TurnEvent | undefined {
    return this.turns[turn - 1];
  }
}
