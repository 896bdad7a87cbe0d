// The view of hexabomb.

import STARTER from "kit:bot.js";
import type { Track } from "../../core/board.ts";
import { answerOf, debugOf } from "../../core/botoutput.ts";
import { ALL, type Filter, REFUSED } from "../../core/events.ts";
import type { LobbyEvent } from "../../core/feed.ts";
import { bound } from "../../core/game.ts";
import type { Facts, GameView } from "../../core/gameview.ts";
import { ROOT } from "../../core/root.ts";
import type { Session } from "../../core/session.ts";
import { count } from "../../core/text.ts";
import { Chart } from "../../ui/chart.tsx";
import { EventList } from "../../ui/eventlist.tsx";
import { lazy } from "../../ui/lazy.tsx";
import { PlayedOn } from "../../ui/playedon.tsx";
import { type Action, describeAction } from "./actions.ts";
import { GridBoard } from "./board.ts";
import { Tracer } from "./following.ts";
import { inspect } from "./inspect.ts";
import { lobbyPosition, type MapFile } from "./lobbymap.ts";
import { modernize } from "./modernize.ts";
import { covers } from "./overlay.ts";
import { PlayerCard } from "./playercard.tsx";
import { ProjectorPanel } from "./projector.tsx";
import { Rail } from "./rail.tsx";
import { Chips, Ranking } from "./ranking.tsx";
import { drawShares } from "./shares.ts";
import { type Standing, standings } from "./standing.ts";
import { storyOf } from "./story.ts";
import { boardName, headline, HiddenTable } from "./table.tsx";
import { turnNumber } from "../../core/turns.ts";

export const NAME = "hexabomb";

const Report = lazy(() => import("./report.tsx").then((m) => m.Report));
const Small = lazy(() => import("./small.tsx").then((m) => m.Small));
const Signs = lazy(() => import("./signs.tsx").then((m) => m.Signs));
const Rules = lazy(() => import("./rules.tsx").then((m) => m.Rules));

/** How much nearer a character in the middle is than the whole board, at least, and the number of cells' radii that the stage then has. */
const NEAR = 1.5;
const CLOSE = 22;

/** The view, also of matches of other programs with the same states. */
export class BombView implements GameView {
  readonly name = NAME;
  readonly board: GridBoard;
  readonly starter = {
    code: STARTER,
    modernize,
    types: { state: "State", action: "Action" },
    option: "",
    opponent: "painter",
    class: "--map snowflake",
  };
  readonly unit = "turn";
  readonly lobbyNote = "Colours are drawn at random at the start. ";
  readonly parts: GameView["parts"];
  private map: MapFile | null = null;
  private mapOf = "";
  centred = -1;
  private readonly tracer = new Tracer();

  constructor(
    private readonly session: Session,
    element: HTMLElement,
  ) {
    this.board = new GridBoard(element);
    this.parts = bound(session, {
      Title,
      Chips,
      Rail,
      Panel,
      Report,
      Signs,
      Small,
      ProjectorPanel,
      Rules,
      Table: HiddenTable,
      PlayerCard,
    });
  }

  open(): void {
    const { store } = this.session;
    const story = storyOf(this.session);
    if (story) this.board.use(story.grid, store.start?.specials ?? 0, store.seats.length);
  }

  /** Shows the map of the match with its starting places. */
  async showLobby({ id }: LobbyEvent): Promise<void> {
    if (this.mapOf !== id) {
      const response = await fetch(`${ROOT}api/map?match=${encodeURIComponent(id)}`);
      if (!response.ok) return;
      this.map = (await response.json()) as MapFile;
      this.mapOf = id;
    }
    const { lobby } = this.session.store;
    if (!this.map || lobby?.id !== id) return;
    const { grid, frame } = lobbyPosition(this.map, lobby);
    this.board.use(grid, lobby.seats.specials, lobby.seats.players + lobby.seats.specials);
    this.board.show(frame, null, [], null);
    this.board.follow(null);
    this.session.changed();
  }

  show(turn: number, interval: number | null): void {
    const story = storyOf(this.session);
    if (!story) return;
    const frame = story.frame(turn);
    const before = interval !== null && frame.turn > 0 ? story.frame(frame.turn - 1) : null;
    this.board.show(frame, before, story.blasts(frame.turn), interval);
    this.followed();
  }

  /** Shows what the followed player does, with one of its characters in the middle if the viewer wants that. */
  followed(): void {
    const story = storyOf(this.session);
    const { followed, player } = this.session;
    this.board.follow(
      story && followed >= 0 ? this.tracer.trace(this.session, story, followed, player.turn) : null,
    );
    if (this.centred < 0) return;
    if (!this.centrable.includes(this.centred)) this.centred = this.centrable[0] ?? -1;
    const one = story?.frame(player.turn).characters[this.centred];
    this.board.centre(story && one ? story.grid.at(one.q, one.r) : -1, player.reducedMotion);
  }

  get centrable(): readonly number[] {
    const { followed, player } = this.session;
    const characters =
      followed < 0 ? [] : (storyOf(this.session)?.frame(player.turn).characters ?? []);
    return characters.filter((c) => c?.color === followed + 1).map((c) => c.id);
  }

  centre(character: number): void {
    const { view } = this.board;
    // Of a board that is in view as a whole, the part around the character is shown larger.
    if (character >= 0 && !view.moved)
      view.zoomAt(
        view.width / 2,
        view.height / 2,
        Math.max(NEAR, Math.min(view.width, view.height) / CLOSE / view.radius),
      );
    if (character < 0) this.board.centre(-1);
    this.centred = character;
    this.followed();
  }

  get overlayName(): string {
    const { store, mine } = this.session;
    return mine < 0 ? "" : `Overlay of ${store.seats[mine].nickname}`;
  }

  mark(shown: boolean): void {
    const { store, player, mine, layers } = this.session;
    const marks =
      shown && mine >= 0 ? debugOf(answerOf(store, mine, player.turn)?.answer).cells : [];
    this.board.mark(marks.filter(({ layer }) => layers.shows(layer)));
  }

  async changes() {
    return (await import("./changes.ts")).drawChanges;
  }

  async choices(turn: number) {
    return (await import("./choices.ts")).choicesOf(this.session, turn);
  }

  get total(): number {
    return this.session.store.total;
  }

  count(step: number): string {
    return turnNumber(step);
  }

  get center(): number {
    const grid = storyOf(this.session)?.grid;
    return grid && grid.size > 0 ? Math.max(0, grid.at(0, 0)) : -1;
  }

  neighbour(cell: number, direction: number): number {
    return storyOf(this.session)?.grid.neighbours[6 * cell + direction] ?? -1;
  }

  inspect(cell: number): Facts[] {
    return inspect(this.session, cell);
  }

  around(cell: number): readonly number[] {
    const story = storyOf(this.session);
    const bomb = story?.frame(this.session.player.turn).bombs.find((b) => b.cell === cell);
    return story && bomb ? covers(story.grid, bomb) : [cell];
  }

  standing(player: number): Pick<Standing, "rank" | "score"> | undefined {
    const story = storyOf(this.session);
    return story
      ? standings(story, this.session.player.turn).find((row) => row.player === player)
      : undefined;
  }

  headline(): string {
    return headline(this.session);
  }

  boardName(): string {
    return boardName(this.session);
  }

  describeAction(action: Action): string {
    return describeAction(action);
  }

  drawTrack(c: CanvasRenderingContext2D, x: (turn: number) => number, track: Track): void {
    drawShares(c, this.session, x, track);
  }
}

const FILTERS: readonly Filter[] = [
  ALL,
  { name: "Chains", passes: ({ kind }) => kind === "chain" },
  { name: "Deaths", passes: ({ kind }) => kind === "death" || kind === "out" },
  REFUSED,
];

function Panel({ session }: { session: Session }) {
  return (
    <>
      <Ranking session={session} />
      <Chart session={session} />
      <EventList session={session} filters={FILTERS} />
    </>
  );
}

function Title({ session }: { session: Session }) {
  const { start } = session.store;
  const story = storyOf(session);
  if (!start || !story) return null;
  return (
    <p class="title">
      <b>{start.rules.split("/")[0]}</b>
      <span>{start.specials > 0 ? "sudden death" : "classical"}</span>
      <span>
        <i>map </i>
        <b>{start.map}</b>
      </span>
      <span>seed {start.seed}</span>
      {!session.embedded && <span>{count(story.grid.size, "cell")}</span>}
      <PlayedOn session={session} />
    </p>
  );
}
