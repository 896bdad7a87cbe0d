// How each player answered, turn by turn: how long it thought, which turns it
// skipped, what was refused, and since when it is gone. Every game has that.

import type { GameEvent } from "./events.ts";
import type { Seat, TurnEvent } from "./feed.ts";
import { milliseconds } from "./text.ts";

/** A turn of a timer may be shorter than its interval by this share, to make up for one that was late. */
const SHORTENED = 1 / 8;

export class AnswerLog {
  /** thinking[player][turn]: milliseconds; null: no answer in that turn. */
  readonly thinking: (number | null)[][];
  /** skipped[player]: the turns without a usable answer in time. */
  readonly skipped: number[][];
  /** late[player]: those of them in which the time was over. */
  readonly late: Set<number>[];
  /** refusals[player]: the turns in which actions were refused, and how many. */
  readonly refusals: { turn: number; actions: number }[][];
  /** goneSince[player]: the turn in which it was first missing. */
  readonly goneSince: (number | undefined)[];
  /** Milliseconds of the shortest turn in which an answer was late; 0: there was none. */
  private shortest = 0;
  private before = { turn: 0, at: 0 };

  /** interval is the time from turn to turn that the match announced, in milliseconds; 0: none. */
  constructor(private readonly seats: readonly Seat[], private readonly interval: number) {
    this.thinking = seats.map(() => [null]);
    this.skipped = seats.map(() => []);
    this.late = seats.map(() => new Set());
    this.refusals = seats.map(() => []);
    this.goneSince = seats.map(() => undefined);
  }

  /**
   * The time that an answer may take, in milliseconds, as late answers have shown
   * it: a match does not announce it. 0: not known.
   */
  get limit(): number {
    const { shortest, interval } = this;
    return Math.abs(shortest - interval) <= interval * SHORTENED ? interval : shortest;
  }

  /** Takes in a turn, and returns what is to be told of it. */
  add(event: TurnEvent): GameEvent[] {
    this.measure(event);
    const told: GameEvent[] = [];
    const tell = (kind: GameEvent["kind"], player: number, what: string, detail: string) =>
      told.push({ turn: event.turn, kind, player, what, detail });
    for (const a of event.answers ?? []) {
      if (!this.seats[a.player] || (a.lapse !== "timed out" && a.lapse !== "malformed")) continue;
      this.skipped[a.player].push(event.turn);
      if (a.lapse === "malformed") tell("skip", a.player, "sent something unreadable", "");
      else tell("skip", a.player, "skipped the turn", this.limit > 0 ? `no answer in ${milliseconds(this.limit)}` : "");
    }
    for (const p of event.gone ?? []) {
      if (this.goneSince[p] !== undefined || !this.seats[p]) continue;
      this.goneSince[p] = event.turn;
      tell("gone", p, "left the match", "");
    }
    for (const { player } of event.refused ?? []) this.refuse(player, event.turn);
    return told;
  }

  private measure(event: TurnEvent): void {
    const ms = this.seats.map((): number | null => null);
    for (const a of event.answers ?? []) {
      if (!this.seats[a.player]) continue;
      if (a.lapse === undefined) ms[a.player] = a.ms ?? null;
      if (a.lapse === "timed out") this.late[a.player].add(event.turn);
    }
    ms.forEach((value, p) => this.thinking[p].push(value));
    // Turns that were left out on the way to this one make it look longer or shorter.
    const took = event.turn === this.before.turn + 1 && event.turn > 1 ? event.at_ms - this.before.at : 0;
    this.before = { turn: event.turn, at: event.at_ms };
    if (took > 0 && this.late.some((turns) => turns.has(event.turn))) {
      this.shortest = this.shortest > 0 ? Math.min(this.shortest, took) : took;
    }
  }

  private refuse(player: number, turn: number): void {
    const list = this.refusals[player];
    const last = list?.[list.length - 1];
    if (last?.turn === turn) last.actions++;
    else list?.push({ turn, actions: 1 });
  }

  /** How long a player thought in a turn, in words. */
  thought(player: number, turn: number): string {
    const ms = this.thinking[player]?.[turn] ?? null;
    if (ms !== null) return milliseconds(ms);
    if (!this.late[player]?.has(turn)) return "–";
    return this.limit > 0 ? `>\u2009${milliseconds(this.limit)}` : "too long";
  }

  /** The mean of the turns up to one that a player answered, in milliseconds; null: it answered none. */
  mean(player: number, turn: number): number | null {
    const answered = this.thinking[player].slice(1, turn + 1).filter((ms) => ms !== null);
    return answered.length > 0 ? answered.reduce((a, b) => a + b, 0) / answered.length : null;
  }

  /** Whether the answers of the turns up to one, so many of them, took more than a share of the time there was. */
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
