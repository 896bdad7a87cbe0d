// A game that the page does not know: who plays, what happened, and the state as it is.

import type { Track } from "../../core/board.ts";
import { bound } from "../../core/game.ts";
import type { Facts, GameView } from "../../core/gameview.ts";
import type { Session } from "../../core/session.ts";
import { paintOf } from "../../core/theme.ts";
import { Chart } from "../../ui/chart.tsx";
import { EventList } from "../../ui/eventlist.tsx";
import { EmptyBoard } from "./board.ts";
import { plainAction, storyOf, titleOf } from "./match.ts";
import { Chips, Players, ProjectorPanel, Table } from "./players.tsx";
import { Tree } from "./tree.tsx";
import "./style.css";

/** Height of the band on the timeline that says who leads. */
const LEAD = 10;

export const NAME = "unknown";

export class UnknownView implements GameView {
  readonly name = NAME;
  readonly board: EmptyBoard;
  readonly drawn = false;
  readonly hasStarter = false;
  readonly lobbyNote = "";
  readonly describeAction = plainAction;
  readonly unit = "turn";
  readonly tabs = [];
  readonly overlayName = "";
  readonly first = 0;
  readonly center = -1;
  readonly playing = false;
  readonly parts: GameView["parts"];

  constructor(private readonly session: Session, element: HTMLElement) {
    this.board = new EmptyBoard(element);
    this.parts = bound(session, { Title, Chips, Rail: () => null, Panel, ProjectorPanel, Rules, Table, Above: StateView });
  }

  open(): void {}
  async gather(): Promise<void> {}
  show(): void {}
  mark(): void {}

  get total(): number {
    const { store } = this.session;
    return Math.max(store.start?.turns ?? 0, store.last, 1);
  }

  count(turn: number): number {
    return turn;
  }

  neighbour(): number {
    return -1;
  }

  inspect(): Facts[] {
    return [];
  }

  around(cell: number): readonly number[] {
    return [cell];
  }

  press(): boolean {
    return false;
  }

  key(): boolean {
    return false;
  }

  pointed(): void {}

  boardName(): string {
    return `Board at turn ${this.session.player.turn}: this page does not draw the ${titleOf(this.session)}`;
  }

  /** What was played, and in a band below it who led. */
  drawTrack(c: CanvasRenderingContext2D, x: (turn: number) => number, track: Track): void {
    const { session } = this;
    const { store, theme } = session;
    const story = storyOf(session);
    if (!story) return;
    c.fillStyle = theme.rule;
    c.fillRect(0, track.top, x(store.last), track.height);
    for (let from = 1, to = 1; from <= store.last; from = to) {
      const winner = story.winner(from);
      while (to <= store.last && story.winner(to) === winner) to++;
      if (!store.seats[winner]) continue;
      c.fillStyle = paintOf(theme, session.slot(winner)).strong;
      c.fillRect(x(from - 1), track.top + track.height - LEAD, x(to - 1) - x(from - 1), LEAD);
    }
  }
}

function Title({ session }: { session: Session }) {
  const { start } = session.store;
  if (!start) return null;
  return (
    <p class="title">
      <b>{titleOf(session)}</b>
      {start.map && <span><i>map </i><b>{start.map}</b></span>}
      {session.embedded && <span>{session.embedded.when.toLocaleDateString([], { dateStyle: "medium" })}</span>}
    </p>
  );
}

function Panel({ session }: { session: Session }) {
  return (
    <>
      <Players session={session} />
      <Chart session={session} />
      <EventList session={session} filters={[["all", "All"], ["refused", "Refused"]]} />
    </>
  );
}

/** The state, in place of a board. */
function StateView({ session }: { session: Session }) {
  const story = storyOf(session);
  if (!story) return null;
  const { turn } = session.player;
  return (
    <section class="state" aria-label="State">
      <header class="section">
        <h2>State {turn === 0 ? "at the start" : `after turn ${turn}`}</h2>
        <span class="aside">This page does not draw this game.</span>
      </header>
      <div class="scroll" tabIndex={0} aria-label="State as JSON">
        <Tree key={session.store.start?.id} value={story.state(turn)} before={turn > 0 ? story.state(turn - 1) : undefined} label={`State at turn ${turn}`} />
      </div>
    </section>
  );
}

function Rules({ session }: { session: Session }) {
  return (
    <main class="page rules">
      <h1>{titleOf(session)}</h1>
      <p>This page does not know the rules of this game. It shows who plays, what happened in each turn, and the state as the game sends it.</p>
    </main>
  );
}
