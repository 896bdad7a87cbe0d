// The chronicle of a match: its events, and the figures of each turn behind the
// ranking and the chart.

import { endEvent, type EventKind, type GameEvent } from "../../core/events.ts";
import type { EndEvent, Seat, TurnEvent } from "../../core/feed.ts";
import type { Grid } from "../../core/grid.ts";
import { refusalEvents } from "../../core/refusal.ts";
import { count, list } from "../../core/text.ts";
import { applied, REFUSALS } from "./actions.ts";
import { type Blast, coverage } from "./blast.ts";
import type { Frame } from "./frame.ts";

/** The death of a character. */
export interface Death {
  character: number;
  player: number;
  /** The players whose bombs caused it. */
  by: number[];
}

/** One value per player and turn: series[player][turn]. */
export type Series = number[][];

/** The least number of bombs in a chain that makes an event. */
const CHAIN_OF = 3;

/** Filled frame by frame. */
export class Chronicle {
  readonly score: Series;
  readonly cells: Series;
  readonly alive: Series;
  readonly events: GameEvent[] = [];
  /** The deaths by turn; turns without deaths are missing. */
  readonly deaths = new Map<number, Death[]>();
  /** idle[turn][character]: the number of turns in which it has done nothing. */
  readonly idle: Uint16Array[] = [];
  /** characters[player]: the number of its characters. */
  readonly characters: number[];
  /** The turn in which the last player was eliminated in sudden death, or -1. */
  allOut = -1;
  private leader = -1;

  constructor(
    private readonly grid: Grid,
    readonly seats: readonly Seat[],
    private readonly specials: number,
  ) {
    const series = (): Series => seats.map(() => []);
    this.score = series();
    this.cells = series();
    this.alive = series();
    this.characters = seats.map(() => 0);
  }

  open(frame: Frame): void {
    for (const c of frame.characters) this.characters[c.color - 1]++;
    this.idle.push(new Uint16Array(frame.characters.length));
    this.measure(frame);
  }

  /** Adds a turn; lapses are the events about how the players answered. */
  add(
    before: Frame,
    after: Frame,
    event: TurnEvent,
    blasts: Blast[],
    lapses: readonly GameEvent[],
  ): void {
    this.measure(after);
    this.noteIdle(before, after);
    this.noteLead(after.turn, after.score);
    this.noteChains(after.turn, blasts);
    this.noteDeaths(before, after, event, blasts);
    this.events.push(
      ...lapses.map((e) =>
        e.kind === "gone" ? { ...e, detail: "its cells stay on the board" } : e,
      ),
    );
    this.events.push(...refusalEvents(event, this.seats, REFUSALS));
  }

  close(event: EndEvent): void {
    this.events.push(endEvent(event));
  }

  private tell(turn: number, kind: EventKind, player: number, what: string, detail = ""): void {
    this.events.push({ turn, kind, player, what, detail });
  }

  private measure(frame: Frame): void {
    this.seats.forEach((_, p) => {
      this.score[p].push(frame.score[p] ?? 0);
      this.cells[p].push(frame.cellCount[p] ?? 0);
      this.alive[p].push(0);
    });
    for (const c of frame.characters) {
      const line = this.alive[c.color - 1];
      if (c.alive && line) line[line.length - 1]++;
    }
  }

  private noteIdle(before: Frame, after: Frame): void {
    const was = this.idle.at(-1)!;
    const now = new Uint16Array(after.characters.length);
    after.characters.forEach((c, id) => {
      const b = before.characters[id];
      const still =
        c.alive &&
        b?.alive &&
        c.q === b.q &&
        c.r === b.r &&
        (c.bomb_count ?? 0) >= (b.bomb_count ?? 0);
      now[id] = still ? was[id] + 1 : 0;
    });
    this.idle.push(now);
  }

  private noteLead(turn: number, score: number[]): void {
    const ranked = this.seats.filter((s) => !s.special).map((s) => s.id);
    const best = Math.max(...ranked.map((p) => score[p] ?? 0));
    const leaders = ranked.filter((p) => (score[p] ?? 0) === best);
    if (leaders.length !== 1 || leaders[0] === this.leader) return;
    const first = this.leader < 0;
    this.leader = leaders[0];
    if (ranked.length > 1)
      this.tell(turn, "lead", this.leader, first ? "takes the first lead" : "takes the lead");
  }

  private noteChains(turn: number, blasts: Blast[]): void {
    const chains = new Map<number, Blast[]>();
    for (const b of blasts) chains.set(b.chain, [...(chains.get(b.chain) ?? []), b]);
    for (const chain of chains.values()) {
      if (chain.length < CHAIN_OF) continue;
      const cells = new Set(chain.flatMap((b) => [b.cell, ...b.rays.flat()])).size;
      this.tell(
        turn,
        "chain",
        chain[0].color - 1,
        `chain of ${chain.length} bombs`,
        count(cells, "cell"),
      );
    }
  }

  private noteDeaths(before: Frame, after: Frame, event: TurnEvent, blasts: Blast[]): void {
    const revived = new Set(
      [...applied(event)].filter((a) => a.movement === "revive").map((a) => a.id),
    ); // some die in the same turn
    const died = after.characters.filter(
      (c) => !c.alive && (before.characters[c.id]?.alive || revived.has(c.id)),
    );
    if (died.length === 0) return;
    const covered = coverage(blasts);
    const deaths: Death[] = died.map((c) => ({
      character: c.id,
      player: c.color - 1,
      by: [...new Set((covered.get(this.grid.at(c.q, c.r))?.by ?? []).map((b) => b.color - 1))],
    }));
    this.deaths.set(after.turn, deaths);
    for (const player of new Set(deaths.map((d) => d.player))) {
      const lost = deaths.filter((d) => d.player === player);
      const what =
        lost.length === 1 ? `lost #${lost[0].character}` : `lost ${lost.length} characters`;
      this.tell(after.turn, "death", player, what, this.killers(player, lost));
      if (this.specials > 0 && this.alive[player][after.turn] === 0)
        this.tell(after.turn, "out", player, "is out");
    }
    this.noteAllOut(after.turn, deaths);
  }

  /** In sudden death, the match goes on without a player: the last ones out have survived longest. */
  private noteAllOut(turn: number, deaths: Death[]): void {
    const ordinary = this.seats.filter((s) => !s.special);
    if (this.specials === 0 || this.allOut >= 0 || ordinary.some((s) => this.alive[s.id][turn] > 0))
      return;
    this.allOut = turn;
    const last = ordinary
      .filter((s) => deaths.some((d) => d.player === s.id))
      .map((s) => s.nickname);
    this.tell(turn, "out", -1, "All players are out", `${list(last)} survived longest`);
  }

  private killers(player: number, lost: Death[]): string {
    const by = [...new Set(lost.flatMap((d) => d.by))];
    if (by.length === 0) return "";
    const names = by.map((p) =>
      p === player ? "its own bomb" : (this.seats[p]?.nickname ?? "unknown"),
    );
    return `to ${list(names)}`;
  }
}
