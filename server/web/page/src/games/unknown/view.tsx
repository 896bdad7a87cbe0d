// The view of an unknown game: its players, its events, and its state as a tree.

import { useState } from "preact/hooks";
import type { Track } from "../../core/board.ts";
import { bound } from "../../core/game.ts";
import type { Facts, GameView } from "../../core/gameview.ts";
import type { Session } from "../../core/session.ts";
import { paintOf } from "../../core/theme.ts";
import { Chart } from "../../ui/chart.tsx";
import { EventList } from "../../ui/eventlist.tsx";
import { lazy } from "../../ui/lazy.tsx";
import { PlayedOn } from "../../ui/playedon.tsx";
import { SceneBoard } from "./board.ts";
import { inspect } from "./inspect.ts";
import { plainAction, storyOf, titleOf } from "./match.ts";
import { Chips, Players, ProjectorPanel, Table } from "./players.tsx";
import { changesOf } from "./changes.ts";
import { Tree } from "./tree.tsx";
import "./style.css";
import { turnName, turnNumber } from "../../core/turns.ts";

const Report = lazy(() => import("../../ui/plainreport.tsx").then((m) => m.PlainReport));
const Small = lazy(() => import("./small.tsx").then((m) => m.Small));

/** Height of the strip on the timeline that shows the leader. */
const LEAD = 10;

export const NAME = "unknown";

/** Draws the board if the game logic said how; else the state covers the stage. */
export class UnknownView implements GameView {
  readonly name = NAME;
  readonly board: SceneBoard;
  readonly describeAction = plainAction;
  readonly unit = "turn";
  readonly parts: GameView["parts"];

  constructor(
    private readonly session: Session,
    element: HTMLElement,
  ) {
    this.board = new SceneBoard(element, (player) =>
      session.store.seats[player] ? session.slot(player) : null,
    );
    this.parts = bound(session, {
      Title,
      Chips,
      Panel,
      Report,
      Small,
      ProjectorPanel,
      Rules,
      Table,
      Above: StateView,
    });
  }

  /** Left out if the game is not drawn. */
  get show(): GameView["show"] {
    return storyOf(this.session)?.view ? (turn) => this.draw(turn) : undefined;
  }

  private draw(turn: number): void {
    const story = storyOf(this.session);
    this.board.show(story?.scene(turn) ?? null, story?.view?.flat ?? false);
  }

  open(): void {
    this.draw(0);
    this.board.view.fit();
  }

  get center(): number {
    const { grid } = this.board;
    return grid.size > 0 ? Math.max(0, grid.at(0, 0)) : -1;
  }

  neighbour(cell: number, direction: number): number {
    return this.board.grid.neighbours[6 * cell + direction] ?? -1;
  }

  inspect(cell: number): Facts[] {
    return inspect(this.session, this.board.grid, cell);
  }

  get title(): string {
    return titleOf(this.session);
  }

  async changes() {
    return (await import("./hatching.ts")).drawChanges;
  }

  get total(): number {
    return this.session.store.total;
  }

  count(step: number): string {
    return turnNumber(step);
  }

  headline(): string {
    const { store, player } = this.session;
    const winner = store.seats[storyOf(this.session)?.winner(player.turn) ?? -1];
    if (!winner) return "";
    return `${winner.nickname} ${store.end && player.turn >= store.last ? "has won" : "leads"}`;
  }

  boardName(): string {
    const { turn } = this.session.player;
    return this.show
      ? `Board of ${titleOf(this.session)} at ${turnName(turn)}`
      : `Board at ${turnName(turn)}: this page cannot draw the ${titleOf(this.session)}`;
  }

  /** Draws the played turns, and below them a strip in the colour of the leader. */
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
      {start.map && (
        <span>
          <i>map </i>
          <b>{start.map}</b>
        </span>
      )}
      <PlayedOn session={session} />
    </p>
  );
}

function Panel({ session }: { session: Session }) {
  return (
    <>
      <Players session={session} />
      <Chart session={session} />
      <EventList session={session} />
      {storyOf(session)?.view && <StateBelow session={session} />}
    </>
  );
}

/** The state, if there is no board, and what stands on the stage before a match. */
function StateView({ session }: { session: Session }) {
  const story = storyOf(session);
  if (!story)
    return session.store.lobby && <p class="soon">This game is shown when the match begins.</p>;
  if (story.view) return null;
  const { turn } = session.player;
  return (
    <section class="state" aria-label="State">
      <header class="section">
        <h2>State {turn === 0 ? "at the start" : `at ${turnName(turn)}`}</h2>
        <span class="aside">This page cannot draw this game.</span>
      </header>
      <StateTree session={session} />
    </section>
  );
}

/** The state of a game that is drawn, when it is opened. */
function StateBelow({ session }: { session: Session }) {
  const [open, set] = useState(false);
  return (
    <details class="statebelow" onToggle={(e) => set(e.currentTarget.open)}>
      <summary>State and what changed</summary>
      {open && <StateTree session={session} />}
    </details>
  );
}

/** What changed since the turn before, and the whole state. */
function StateTree({ session }: { session: Session }) {
  const story = storyOf(session);
  const { turn } = session.player;
  if (!story) return null;
  const before = turn > 0 ? story.state(turn - 1) : undefined;
  const changes = before ? changesOf(before, story.state(turn)) : [];
  return (
    <div class="scroll" tabIndex={0} aria-label="State as JSON">
      {changes.length > 0 && (
        <ul class="changes" aria-label={`Changes that led to ${turnName(turn)}`}>
          {changes.map((c) => (
            <li key={c.path}>
              <code>{c.path}</code> <del>{c.was}</del> → <ins>{c.is}</ins>
            </li>
          ))}
        </ul>
      )}
      <Tree
        key={session.store.start?.id}
        value={story.state(turn)}
        before={before}
        label={`State at ${turnName(turn)}`}
      />
    </div>
  );
}

function Rules({ session }: { session: Session }) {
  return (
    <main class="page rules" tabIndex={0}>
      <h1>{titleOf(session)}</h1>
      <p>
        This page does not know the rules of this game. It shows the players, the events, and{" "}
        {storyOf(session)?.view
          ? "the board as the game describes it"
          : "the state as the game sends it"}
        .
      </p>
    </main>
  );
}
