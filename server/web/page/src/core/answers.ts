// How each player answered, turn by turn: thinking times, skipped turns, refused
// actions, and when a player left. This is the same in every game.

import type { GameEvent } from "./events.ts";
import type { Printed, Seat, TurnEvent } from "./feed.ts";
import { milliseconds, visible } from "./text.ts";

/** After a late turn, a timer may shorten the next one by this share of its interval. */
const SHORTENED = 1 / 8;

/** Filled turn by turn. */
export class AnswerLog {
  /** thinking[player][turn]: milliseconds; null: no answer in that turn. */
  readonly thinking: (number | null)[][];
  /** skipped[player]: the turns without a usable answer. */
  readonly skipped: number[][];
  /** late[player]: the skipped turns in which the answer came too late. */
  readonly late: Set<number>[];
  /** refusals[player]: the turns with refused actions, and the number of those actions. */
  readonly refusals: { turn: number; actions: number }[][];
  /** goneSince[player]: the first turn after the player left; undefined while it is there. */
  readonly goneSince: (number | undefined)[];
  /** endings[player]: how its process ended, if the server started it and saw it end: "crashed: exit code 1". */
  readonly endings: (string | undefined)[];
  /** The duration of the longest turn with a late answer, in milliseconds; 0: no answer was late. */
  private longest = 0;
  private before = { turn: 0, at: 0 };

  /** interval and announced: the time between turns and for an answer, as the match announced them, in milliseconds; 0: none. */
  constructor(
    private readonly seats: readonly Seat[],
    private readonly interval: number,
    private readonly announced: number,
  ) {
    this.thinking = seats.map(() => [null]);
    this.skipped = seats.map(() => []);
    this.late = seats.map(() => new Set());
    this.refusals = seats.map(() => []);
    this.goneSince = seats.map(() => undefined);
    this.endings = seats.map(() => undefined);
  }

  /**
   * The time limit of an answer in milliseconds; 0: not known. For a match that announces none
   * it is estimated from the turns with late answers. They are shorter once the match does not
   * wait for a player any more.
   */
  get limit(): number {
    const { announced, longest, interval } = this;
    if (announced > 0) return announced;
    return Math.abs(longest - interval) <= interval * SHORTENED ? interval : longest;
  }

  /** Adds a turn and returns its events. */
  add(event: TurnEvent): GameEvent[] {
    this.measure(event);
    this.noteEndings(event.printed);
    const events: GameEvent[] = [];
    const tell = (kind: GameEvent["kind"], player: number, what: string, detail: string) =>
      events.push({ turn: event.turn, kind, player, what, detail });
    for (const a of event.answers ?? []) {
      if (!this.seats[a.player] || (a.lapse !== "timed out" && a.lapse !== "malformed")) continue;
      this.skipped[a.player].push(event.turn);
      if (a.lapse === "malformed") tell("skip", a.player, "sent an unreadable answer", "");
      else
        tell(
          "skip",
          a.player,
          "skipped the turn",
          this.limit > 0 ? `no answer in ${milliseconds(this.limit)}` : "",
        );
    }
    for (const p of event.gone ?? []) {
      if (this.goneSince[p] !== undefined || !this.seats[p]) continue;
      this.goneSince[p] = event.turn;
      tell("gone", p, "left the match", "");
    }
    for (const { player } of event.refused ?? []) this.refuse(player, event.turn);
    return events;
  }

  /** Notes how processes ended, from the output of a turn or of the end. */
  noteEndings(printed: readonly Printed[] = []): void {
    for (const { player, ended } of printed)
      if (ended && this.seats[player]) this.endings[player] ??= visible(ended);
  }

  /** Returns how a player left that is gone at a turn: "crashed: exit code 1"; empty: it is not gone, or how is not known. */
  ending(player: number, turn: number): string {
    const since = this.goneSince[player];
    return since !== undefined && since <= turn ? (this.endings[player] ?? "") : "";
  }

  private measure(event: TurnEvent): void {
    const ms = this.seats.map((): number | null => null);
    for (const a of event.answers ?? []) {
      if (!this.seats[a.player]) continue;
      if (a.lapse === undefined) ms[a.player] = a.ms ?? null;
      if (a.lapse === "timed out") this.late[a.player].add(event.turn);
    }
    ms.forEach((value, p) => this.thinking[p].push(value));
    // The duration is unknown if turns before this one were skipped.
    const took =
      event.turn === this.before.turn + 1 && event.turn > 1 ? event.at_ms - this.before.at : 0;
    this.before = { turn: event.turn, at: event.at_ms };
    if (this.late.some((turns) => turns.has(event.turn)))
      this.longest = Math.max(this.longest, took);
  }

  private refuse(player: number, turn: number): void {
    const list = this.refusals[player];
    const last = list?.at(-1);
    if (last?.turn === turn) last.actions++;
    else list?.push({ turn, actions: 1 });
  }

  /** Returns the thinking time of a player in a turn, in words. */
  thought(player: number, turn: number): string {
    const ms = this.thinking[player]?.[turn] ?? null;
    if (ms !== null) return milliseconds(ms);
    if (!this.late[player]?.has(turn)) return "–";
    return this.limit > 0 ? `>\u2009${milliseconds(this.limit)}` : "too long";
  }

  /** Returns the mean thinking time up to a turn in milliseconds; null: the player has not answered. */
  mean(player: number, turn: number): number | null {
    const answered = this.thinking[player].slice(1, turn + 1).filter((ms) => ms !== null);
    return answered.length > 0 ? answered.reduce((a, b) => a + b, 0) / answered.length : null;
  }

  /** Reports whether the answers to the last turns up to one took more than a share of the time limit on average. */
  slow(player: number, turn: number, turns: number, share: number): boolean {
    const limit = this.limit || this.interval;
    if (limit <= 0) return false;
    let sum = 0;
    let n = 0;
    for (let t = Math.max(1, turn - turns + 1); t <= turn; t++) {
      const ms = this.late[player].has(t) ? limit : this.thinking[player][t];
      if (ms === null || ms === undefined) continue;
      sum += ms;
      n++;
    }
    return n > 0 && sum / n > share * limit;
  }
}
