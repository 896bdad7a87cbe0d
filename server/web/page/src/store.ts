// The frame store: every turn of a match, filled event by event from the
// network or from a recording; whoever plays it does not know which. Every 50th
// turn is kept whole, the others as changes.

import type { EndEvent, FeedEvent, IncompleteEvent, LobbyEvent, Seat, StartEvent, State, TurnEvent } from "./feed.ts";
import { AnswerLog } from "./answers.ts";
import { blastsOf, type Blast } from "./blast.ts";
import { Chronicle, type GameEvent } from "./chronicle.ts";
import { firstFrame, isBoard, nextFrame, type Frame } from "./frame.ts";
import type { Story } from "./game.ts";
import { Grid } from "./grid.ts";
import { storyFor } from "./stories.ts";
import { visible } from "./text.ts";

const KEYFRAME_EVERY = 50;
/** How long a match is played again without a pause, in milliseconds. */
const SLICE = 6;

export class Store {
  start: StartEvent | null = null;
  end: EndEvent | null = null;
  /** Why a recording has no end. */
  incomplete: IncompleteEvent | null = null;
  lobby: LobbyEvent | null = null;
  viewers = 0;
  grid: Grid = new Grid([]);
  /** The first player that showed something beside its actions, or -1. */
  talker = -1;
  /** The story of a match that is not of hexabomb; of that the frames and the chronicle tell. */
  story: Story | null = null;
  /** How the players answered. */
  answers = new AnswerLog([], 0);
  chronicle: Chronicle = new Chronicle(this.grid, [], 0);

  private turns: TurnEvent[] = [];
  private unseen = new Set<number>();
  private keyframes: Frame[] = [];
  private newest: Frame | null = null;
  private sought: Frame | null = null;

  /** How many events of the history it holds: what a reconnecting page has. */
  get received(): number {
    return this.start ? 1 + this.last + (this.end ? 1 : 0) : 0;
  }

  /** The newest turn that is known. */
  get last(): number {
    return this.turns.length;
  }

  /** No turn comes any more. */
  get over(): boolean {
    return this.end !== null || this.incomplete !== null;
  }

  get seats(): Seat[] {
    return this.start?.seats ?? [];
  }

  get suddenDeath(): boolean {
    return (this.start?.specials ?? 0) > 0;
  }

  append(event: FeedEvent): void {
    switch (event.type) {
      case "start":
        return this.begin({ ...event, seats: event.seats.map((s) => ({ ...s, nickname: visible(s.nickname), label: visible(s.label) })) });
      case "turn":
        return this.take(event);
      case "end":
        this.end = event;
        return (this.story ?? this.chronicle).close(event);
      case "incomplete":
        this.incomplete = event;
        return;
      case "lobby":
        return this.gather(event);
      case "viewers":
        this.viewers = event.count;
    }
  }

  /** Another match: nothing of the one before is left. */
  private gather(event: LobbyEvent): void {
    this.lobby = { ...event, present: event.present.map((p) => ({ ...p, nickname: visible(p.nickname) })) };
    if (!this.start) return;
    this.start = this.end = this.incomplete = this.story = null;
    this.grid = new Grid([]);
    this.rewindTo(null, [], 0);
  }

  private begin(event: StartEvent): void {
    this.start = event;
    this.end = this.incomplete = null;
    this.lobby = null;
    this.story = storyFor(event);
    this.grid = new Grid(this.story ? [] : event.state.cells);
    if (this.story) return this.rewindTo(null, event.seats, event.specials);
    const first = firstFrame(this.grid, event.state, event.seats.length);
    this.rewindTo(first, event.seats, event.specials);
    this.chronicle.open(first);
  }

  private rewindTo(first: Frame | null, seats: Seat[], specials: number): void {
    this.turns = [];
    this.unseen = new Set();
    this.keyframes = first ? [first] : [];
    this.newest = first;
    this.sought = null;
    this.talker = -1;
    this.answers = new AnswerLog(seats, this.start?.interval_ms ?? 0);
    this.chronicle = new Chronicle(this.grid, seats, specials);
  }

  /** Turns that were skipped on the way to a whole state stay empty until they are filled in. */
  private take(event: TurnEvent): void {
    if (!this.start || event.turn <= this.last) return;
    if (event.turn > this.last + 1 && !event.state) return;
    for (let k = this.last + 1; k < event.turn; k++) {
      this.unseen.add(k);
      this.play({ type: "turn", turn: k, at_ms: event.at_ms, winner: -1 });
    }
    this.play(event);
  }

  /** The turns from the first to the last that are not known, or null. */
  get gap(): { from: number; to: number } | null {
    if (this.unseen.size === 0) return null;
    return { from: Math.min(...this.unseen), to: Math.max(...this.unseen) };
  }

  /**
   * Puts skipped turns in their places, and plays the match again beside the
   * one that is shown, a little at a time: pause is called in between.
   */
  async fill(missing: FeedEvent[], pause: () => Promise<void>): Promise<void> {
    const { start, turns, unseen } = this;
    if (!start) return;
    for (const e of missing) if (e.type === "turn" && unseen.delete(e.turn)) turns[e.turn - 1] = e;
    const again = new Store();
    again.begin(start);
    for (let until = performance.now() + SLICE; again.last < turns.length; ) {
      again.play(turns[again.last]);
      if (performance.now() < until) continue;
      await pause();
      if (this.turns !== turns) return; // another match has begun
      until = performance.now() + SLICE;
    }
    if (this.end) (again.story ?? again.chronicle).close(this.end);
    const { keyframes, newest, answers, chronicle, story } = again;
    Object.assign(this, { keyframes, newest, answers, chronicle, story, sought: null });
  }

  private play(event: TurnEvent): void {
    this.turns.push(event);
    if (this.talker < 0) this.talker = event.answers?.find((a) => a.debug !== undefined)?.player ?? -1;
    const lapses = this.answers.add(event);
    if (this.story) return this.story.add(event, lapses);
    const before = this.newest;
    if (!before) return;
    const after = nextFrame(this.grid, before, event.turn, changes(event));
    if (event.turn % KEYFRAME_EVERY === 0) this.keyframes.push(after);
    this.newest = after;
    this.chronicle.add(before, after, event, blastsOf(this.grid, before, after, event), lapses);
  }

  /** What happened, in the order of the turns. */
  get events(): readonly GameEvent[] {
    return (this.story ?? this.chronicle).events;
  }

  /** The position after that turn; 0 is the start. */
  frame(turn: number): Frame | null {
    if (!this.newest) return null;
    const wanted = Math.max(0, Math.min(turn, this.last));
    if (wanted === this.last) return this.newest;
    let frame = this.keyframes[Math.floor(wanted / KEYFRAME_EVERY)];
    if (this.sought && this.sought.turn <= wanted && this.sought.turn > frame.turn) frame = this.sought;
    while (frame.turn < wanted) {
      const event = this.turns[frame.turn];
      frame = nextFrame(this.grid, frame, event.turn, changes(event));
    }
    this.sought = frame;
    return frame;
  }

  event(turn: number): TurnEvent | undefined {
    return this.turns[turn - 1];
  }

  /** What exploded in that turn. */
  blasts(turn: number): Blast[] {
    const event = this.event(turn);
    const after = this.frame(turn);
    if (!event || !after || Object.keys(after.explosions).length === 0) return [];
    const before = this.frame(turn - 1);
    return before ? blastsOf(this.grid, before, after, event) : [];
  }

  /** The turn in which a cell took the colour that it has at a turn. */
  since(cell: number, turn: number): number {
    const q = this.grid.q[cell];
    const r = this.grid.r[cell];
    for (let k = Math.min(turn, this.last); k > 0; k--) {
      if (changes(this.turns[k - 1]).cells?.some((c) => c.q === q && c.r === r)) return k;
    }
    return 0;
  }
}

function changes(event: TurnEvent): Partial<State> {
  // A whole state may come from another program, and be anything.
  return event.delta ?? (isBoard(event.state) ? event.state : {});
}
