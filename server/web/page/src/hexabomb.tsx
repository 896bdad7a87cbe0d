// Hexabomb on the page.

import { Board } from "./board.ts";
import { Chart } from "./chart.tsx";
import { EventList } from "./eventlist.tsx";
import type { LobbyEvent } from "./feed.ts";
import type { Facts, GameView, Track } from "./game.ts";
import { inspect } from "./inspect.ts";
import { lobbyPosition, type MapFile } from "./lobbymap.ts";
import { covers } from "./overlay.ts";
import { ProjectorPanel } from "./projector.tsx";
import { Rail } from "./rail.tsx";
import { Chips, Ranking } from "./ranking.tsx";
import { Rules } from "./rules.tsx";
import { answerOf, debugOf } from "./saying.ts";
import type { Session } from "./session.ts";
import { drawShares } from "./shares.ts";
import { count } from "./text.ts";
import { boardName, HiddenTable } from "./voice.tsx";

export class HexabombView implements GameView {
  readonly board: Board;
  readonly unit = "turn";
  readonly tabs = [];
  readonly parts = { Title, Chips, Rail, Panel, Far: ProjectorPanel, Rules, Table: HiddenTable, Above: () => null };
  readonly first = 0;
  readonly playing = false;
  private map: MapFile | null = null;
  private mapOf = "";

  constructor(private readonly session: Session, element: HTMLElement) {
    this.board = new Board(element);
  }

  open(): void {
    const { store } = this.session;
    this.board.use(store.grid, store.start?.specials ?? 0, store.seats.length);
  }

  /** The lobby shows the real map, with the places of those who are there and of those who are missing. */
  async gather({ id }: LobbyEvent): Promise<void> {
    if (this.mapOf !== id) {
      const response = await fetch(`/api/map?match=${encodeURIComponent(id)}`);
      if (!response.ok) return;
      this.map = (await response.json()) as MapFile;
      this.mapOf = id;
    }
    const { lobby } = this.session.store;
    if (!this.map || lobby?.id !== id) return;
    const { grid, frame } = lobbyPosition(this.map, lobby);
    this.board.use(grid, lobby.seats.specials, lobby.seats.players + lobby.seats.specials);
    this.board.show(frame, null, [], null);
    this.session.changed();
  }

  show(turn: number, interval: number | null): void {
    const { store } = this.session;
    const frame = store.frame(turn);
    if (!frame) return;
    const before = interval !== null && frame.turn > 0 ? store.frame(frame.turn - 1) : null;
    this.board.show(frame, before, store.blasts(frame.turn), interval);
  }

  get overlayName(): string {
    const { store, mine } = this.session;
    return mine < 0 ? "" : `Overlay of ${store.seats[mine].nickname}`;
  }

  mark(shown: boolean): void {
    const { store, player, mine } = this.session;
    this.board.mark(shown && mine >= 0 ? debugOf(answerOf(store, mine, player.turn)?.answer).cells : []);
  }

  get total(): number {
    const { store } = this.session;
    return Math.max(store.start?.turns ?? 0, store.last, 1);
  }

  count(turn: number): number {
    return turn;
  }

  get center(): number {
    const { grid } = this.session.store;
    return grid.size === 0 ? -1 : Math.max(0, grid.at(0, 0));
  }

  neighbour(cell: number, direction: number): number {
    return this.session.store.grid.neighbours[6 * cell + direction] ?? -1;
  }

  inspect(cell: number): Facts[] {
    return inspect(this.session, cell);
  }

  around(cell: number): readonly number[] {
    const { store, player } = this.session;
    const bomb = store.frame(player.turn)?.bombs.find((b) => b.cell === cell);
    return bomb ? covers(store.grid, bomb) : [cell];
  }

  press(): boolean {
    return false;
  }

  key(): boolean {
    return false;
  }

  pointed(): void {
    // The board shows all there is to it.
  }

  boardName(): string {
    return boardName(this.session);
  }

  drawTrack(c: CanvasRenderingContext2D, x: (turn: number) => number, track: Track): void {
    drawShares(c, this.session, x, track);
  }
}

function Panel({ session }: { session: Session }) {
  return (
    <>
      <Ranking session={session} />
      <Chart session={session} />
      <EventList session={session} />
    </>
  );
}

function Title({ session }: { session: Session }) {
  const { start, grid } = session.store;
  if (!start) return null;
  return (
    <p class="title">
      <b>{start.rules.split("/")[0]}</b>
      <span>{start.specials > 0 ? "sudden death" : "classical"}</span>
      <span><i>map </i><b>{start.map}</b></span>
      {!session.embedded && <span>{count(grid.size, "cell")}</span>}
      <span>seed {start.seed}</span>
      {session.embedded && <span>{session.embedded.when.toLocaleDateString([], { dateStyle: "medium" })}</span>}
    </p>
  );
}
