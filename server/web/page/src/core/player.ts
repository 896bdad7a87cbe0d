// The player decides which turn is shown and when the next one follows. It follows
// a live match, plays at its own speed, or is paused.

import type { GameView } from "./gameview.ts";
import type { Store } from "./store.ts";

export const SPEEDS = [0.5, 1, 2, 8] as const;

/** The interval for matches that had none of their own, in milliseconds. */
const DEFAULT_INTERVAL = 250;
/** The shortest interval in milliseconds: one animation frame. */
const SHORTEST = 16;

/** Shows turns on the view of the current game. */
export class Player {
  turn = 0;
  playing = false;
  following = false;
  speed = 1;
  reducedMotion = false;
  private nextAt = 0;

  constructor(
    private readonly store: Store,
    private readonly game: () => GameView,
    private readonly changed: () => void,
  ) {}

  /** The turn interval at the playing speed, in milliseconds. */
  get interval(): number {
    const own = this.store.start?.interval_ms ?? 0;
    if (this.following) return own >= SHORTEST ? own : SHORTEST;
    return Math.max(SHORTEST, (own >= SHORTEST ? own : DEFAULT_INTERVAL) / this.speed);
  }

  /** Called once per animation frame. */
  tick(now: number): void {
    const { last } = this.store;
    if (this.following) {
      if (last > this.turn) this.show(last, true);
      if (this.store.over) {
        this.following = this.playing = false;
        this.changed();
      }
      return;
    }
    if (!this.playing || now < this.nextAt) return;
    if (this.turn < last) {
      // A tab that was hidden continues from its turn; it does not catch up.
      this.nextAt = Math.max(this.nextAt + this.interval, now - this.interval);
      this.show(this.begun + 1, true);
    } else {
      // A viewer that has caught up with a live match follows it.
      this.following = !this.store.over;
      this.playing = this.following;
      this.changed();
    }
  }

  /** Goes to a turn at once. A viewer who leaves the newest turn stops following. */
  seek(turn: number): void {
    if (this.following) this.following = this.playing = false;
    this.show(turn, false);
    this.nextAt = performance.now() + this.interval;
  }

  step(by: number): void {
    this.playing = this.following = false;
    const forward = by === 1 && this.turn < this.store.last;
    this.show(this.begun + by, forward);
  }

  toggle(): void {
    if (this.playing) {
      this.playing = this.following = false;
      this.game().board.settle();
    } else {
      if (this.turn >= this.store.last && this.store.over) this.show(0, false);
      this.playing = true;
      this.nextAt = performance.now() + (this.turn === 0 ? 0 : this.interval / 2);
    }
    this.changed();
  }

  follow(): void {
    if (this.store.over) return this.seek(this.store.last);
    this.following = this.playing = true;
    this.show(this.store.last, false);
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.nextAt = Math.min(this.nextAt, performance.now() + this.interval);
    this.changed();
  }

  faster(by: number): void {
    const i = SPEEDS.indexOf(this.speed as (typeof SPEEDS)[number]) + by;
    if (SPEEDS[i] !== undefined) this.setSpeed(SPEEDS[i]);
  }

  /** Draws the current turn again, for instance on another board. */
  refresh(): void {
    this.show(this.turn, false);
  }

  /** The current turn, or the first in which a player could act. */
  private get begun(): number {
    return Math.max(this.turn, this.game().first ?? 0);
  }

  private show(turn: number, animated: boolean): void {
    if (!this.store.start) return;
    this.turn = Math.max(
      Math.min(this.game().first ?? 0, this.store.last),
      Math.min(turn, this.store.last),
    );
    const moves = animated && !this.reducedMotion && !document.hidden;
    this.game().show?.(this.turn, moves ? this.interval : null);
    this.changed();
  }
}
