// A match of an unknown game: its states, and the events that every game has.

import { endEvent, type GameEvent } from "../../core/events.ts";
import type { EndEvent, Seat, StartEvent, TurnEvent } from "../../core/feed.ts";
import { refusalEvents } from "../../core/refusal.ts";
import type { Measure, Story } from "../../core/story.ts";
import { type Scene, sceneOf, type View, viewOf } from "./scene.ts";
import { isObject, merged, type State } from "./state.ts";

/** The number of turns between two states that are kept whole, so that a seek is fast. */
const KEPT_EVERY = 50;

/** Filled turn by turn. */
export class UnknownStory implements Story {
  readonly events: GameEvent[] = [];
  /** The scores, if the game has any. */
  readonly measures: Measure[] = [];
  end: EndEvent | null = null;
  /** How states are drawn, or null: they are not. */
  readonly view: View | null;
  private readonly seats: readonly Seat[];
  private readonly startScores: readonly number[];
  private readonly scoreSeries: (number | null)[][];
  private readonly turns: TurnEvent[] = [];
  private readonly kept: State[];
  private newest: State;
  private sought: { turn: number; state: State };

  constructor(start: StartEvent) {
    this.seats = start.seats;
    this.view = viewOf(start);
    this.startScores = start.scores ?? [];
    this.scoreSeries = start.seats.map(({ id }) => [this.startScores[id] ?? null]);
    if (start.scores) this.measures.push({ name: "Score", series: this.scoreSeries });
    this.newest = isObject(start.state) ? start.state : {};
    this.kept = [this.newest];
    this.sought = { turn: 0, state: this.newest };
  }

  add(event: TurnEvent, lapses: readonly GameEvent[]): void {
    const before = this.winner(this.turns.length);
    this.turns.push(event);
    this.scoreSeries.forEach((line, player) => line.push(event.scores?.[player] ?? null));
    this.newest = after(this.newest, event);
    if (this.turns.length % KEPT_EVERY === 0) this.kept.push(this.newest);
    if (event.winner !== before && this.seats[event.winner]) {
      this.events.push({ turn: event.turn, kind: "lead", player: event.winner, what: "takes the lead", detail: "" });
    }
    this.events.push(...lapses, ...refusalEvents(event, this.seats));
  }

  close(event: EndEvent): void {
    this.end = event;
    this.events.push(endEvent(event));
  }

  /** Returns the leader after a turn, or -1. */
  winner(turn: number): number {
    return this.end && turn >= this.turns.length ? this.end.winner : (this.turns[turn - 1]?.winner ?? -1);
  }

  /** Returns the scores after a turn by player id; none if the game has none. */
  scores(turn: number): readonly number[] {
    const last = Math.min(turn, this.turns.length);
    return last > 0 ? (this.turns[last - 1].scores ?? []) : this.startScores;
  }

  /** Returns what the board shows after a turn, or null if the game is not drawn. */
  scene(turn: number): Scene | null {
    return this.view && sceneOf(this.view, this.state(turn));
  }

  /** Returns the state after a turn; 0 is the start. */
  state(turn: number): State {
    const wanted = Math.max(0, Math.min(turn, this.turns.length));
    if (wanted === this.turns.length) return this.newest;
    const mark = Math.floor(wanted / KEPT_EVERY);
    let at = mark * KEPT_EVERY;
    let state = this.kept[mark];
    if (this.sought.turn <= wanted && this.sought.turn > at) ({ turn: at, state } = this.sought);
    while (at < wanted) state = after(state, this.turns[at++]);
    this.sought = { turn: wanted, state };
    return state;
  }
}

function after(state: State, event: TurnEvent): State {
  if (isObject(event.delta)) return merged(state, event.delta);
  return isObject(event.state) ? event.state : state;
}
