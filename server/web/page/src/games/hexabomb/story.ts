// A match of hexabomb: the position after any turn. Every 50th turn is kept whole,
// the others as changes, so that a seek replays at most 49 turns.

import type { AnswerLog } from "../../core/answers.ts";
import type { GameEvent } from "../../core/events.ts";
import type { EndEvent, Seat, StartEvent, TurnEvent } from "../../core/feed.ts";
import { Grid } from "../../core/grid.ts";
import type { Session } from "../../core/session.ts";
import type { Measure, Story } from "../../core/story.ts";
import { type Blast, blastsOf, isQuiet } from "./blast.ts";
import { Chronicle } from "./chronicle.ts";
import { firstFrame, type Frame, nextFrame } from "./frame.ts";
import { isState, type State } from "./state.ts";

/** Replaying this many turns takes less than a frame. */
const KEYFRAME_EVERY = 50;

/** Filled turn by turn. */
export class BombStory implements Story {
  readonly grid: Grid;
  readonly chronicle: Chronicle;
  readonly seats: readonly Seat[];
  readonly suddenDeath: boolean;
  /** By the draft rules bombs are not counted. */
  readonly draft: boolean;
  private readonly turns: TurnEvent[] = [];
  private readonly keyframes: Frame[];
  private newest: Frame;
  /** The frame that was returned last; most seeks go on from there. */
  private sought: Frame;

  constructor(
    start: StartEvent,
    readonly answers: AnswerLog,
  ) {
    const state = start.state as State;
    this.seats = start.seats;
    this.suddenDeath = start.specials > 0;
    this.draft = (start.state as State).explosions === undefined;
    this.grid = new Grid(state.cells);
    this.newest = this.sought = firstFrame(this.grid, state, start.seats.length);
    this.keyframes = [this.newest];
    this.chronicle = new Chronicle(this.grid, start.seats, start.specials);
    this.chronicle.open(this.newest);
  }

  get events(): readonly GameEvent[] {
    return this.chronicle.events;
  }

  get measures(): readonly Measure[] {
    const { alive, cells, score } = this.chronicle;
    return [
      // The special player cannot die.
      this.suddenDeath
        ? { name: "Alive", series: alive, ordinaryOnly: true }
        : { name: "Score", series: score },
      { name: "Cells", series: cells },
    ];
  }

  add(event: TurnEvent, lapses: readonly GameEvent[]): void {
    this.turns.push(event);
    const before = this.newest;
    const after = nextFrame(this.grid, before, event.turn, changes(event));
    if (event.turn % KEYFRAME_EVERY === 0) this.keyframes.push(after);
    this.newest = after;
    this.chronicle.add(before, after, event, blastsOf(this.grid, before, after, event), lapses);
  }

  close(event: EndEvent): void {
    this.chronicle.close(event);
  }

  /** Returns the position after a turn; 0 is the start. */
  frame(turn: number): Frame {
    const wanted = Math.max(0, Math.min(turn, this.turns.length));
    if (wanted === this.turns.length) return this.newest;
    let frame = this.keyframes[Math.floor(wanted / KEYFRAME_EVERY)];
    if (this.sought.turn <= wanted && this.sought.turn > frame.turn) frame = this.sought;
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

  /** Returns the explosions of a turn. */
  blasts(turn: number): Blast[] {
    const event = this.event(turn);
    const after = this.frame(turn);
    // Most turns have none, and need no frame of the turn before.
    if (!event || isQuiet(after)) return [];
    return blastsOf(this.grid, this.frame(turn - 1), after, event);
  }

  /** Returns the turn in which a cell took the colour that it has at a turn. */
  since(cell: number, turn: number): number {
    const q = this.grid.q[cell];
    const r = this.grid.r[cell];
    for (let k = Math.min(turn, this.turns.length); k > 0; k--) {
      if (changes(this.turns[k - 1]).cells?.some((c) => c.q === q && c.r === r)) return k;
    }
    return 0;
  }
}

function changes({ delta, state }: TurnEvent): Partial<State> {
  // A whole state may come from another program, and may be anything.
  return (delta as Partial<State> | undefined) ?? (isState(state) ? state : {});
}

/** Returns the match on the stage, or null if it is of another game. */
export function storyOf(session: Session): BombStory | null {
  return session.store.story instanceof BombStory ? session.store.story : null;
}
