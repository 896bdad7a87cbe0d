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
  /** The game logic sends no scores: they are read from the state. */
  private readonly guessesScores: boolean;
  private readonly scoreSeries: (number | null)[][];
  private readonly turns: TurnEvent[] = [];
  private readonly kept: State[];
  private newest: State;
  private sought: { turn: number; state: State };

  constructor(start: StartEvent) {
    this.seats = start.seats;
    this.view = viewOf(start);
    this.guessesScores = start.scores === undefined;
    this.startScores = start.scores ?? guessedScores(start.state, start.seats.length);
    this.scoreSeries = start.seats.map(({ id }) => [this.startScores[id] ?? null]);
    if (this.startScores.length > 0)
      this.measures.push({ name: "Score", series: this.scoreSeries });
    this.newest = isObject(start.state) ? start.state : {};
    this.kept = [this.newest];
    this.sought = { turn: 0, state: this.newest };
  }

  add(event: TurnEvent, lapses: readonly GameEvent[]): void {
    const before = this.winner(this.turns.length);
    this.turns.push(event);
    this.newest = after(this.newest, event);
    const scores =
      this.guessesScores && this.startScores.length > 0
        ? guessedScores(this.newest, this.seats.length)
        : (event.scores ?? []);
    this.scoreSeries.forEach((line, player) => line.push(scores[player] ?? null));
    if (this.turns.length % KEPT_EVERY === 0) this.kept.push(this.newest);
    if (event.winner !== before && this.seats[event.winner]) {
      this.events.push({
        turn: event.turn,
        kind: "lead",
        player: event.winner,
        what: "takes the lead",
        detail: "",
      });
    }
    this.events.push(...lapses, ...refusalEvents(event, this.seats));
  }

  close(event: EndEvent): void {
    this.end = event;
    this.events.push(endEvent(event));
  }

  /** Returns the leader after a turn, or -1. */
  winner(turn: number): number {
    return this.end && turn >= this.turns.length
      ? this.end.winner
      : (this.turns[turn - 1]?.winner ?? -1);
  }

  /** Returns the scores after a turn by player id; none if the game has none. */
  scores(turn: number): readonly number[] {
    const last = Math.min(turn, this.turns.length);
    if (this.guessesScores)
      return this.startScores.length > 0 ? this.scoreSeries.map((line) => line[last] ?? 0) : [];
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

/** The names that games give to the players' scores. */
const SCORES = ["score", "scores", "points"];

/** Returns the scores in a state, a list or an object by player id, if it has a number for each player; none if not. */
function guessedScores(state: unknown, players: number): number[] {
  if (!isObject(state)) return [];
  for (const name of SCORES) {
    const value = state[name];
    if (value === null || typeof value !== "object") continue;
    const scores = Array.from(
      { length: players },
      (_, id) => (value as Record<number, unknown>)[id],
    );
    if (scores.every((s) => typeof s === "number")) return scores as number[];
  }
  return [];
}

function after(state: State, event: TurnEvent): State {
  if (isObject(event.delta)) return merged(state, event.delta);
  return isObject(event.state) ? event.state : state;
}
