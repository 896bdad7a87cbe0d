// The page's state: the match, the turn that is shown, what the viewer has chosen,
// and the components that are told when any of it changes.

import { addressOf, type Moment, momentInAddress, type Tab, tabInAddress } from "./address.ts";
import type { Board } from "./board.ts";
import { firstBot } from "./botoutput.ts";
import { findEmbedded } from "./embedded.ts";
import { ALL, type Filter, type GameEvent } from "./events.ts";
import type { FeedEvent, LobbyEvent } from "./feed.ts";
import { type Game, gameOf } from "./game.ts";
import type { GameView } from "./gameview.ts";
import { GapFiller } from "./gapfiller.ts";
import { linkHere, linkTo } from "./link.ts";
import { Looks } from "./looks.ts";
import { MarkLayers } from "./marklayers.ts";
import { Notice } from "./notice.ts";
import type { Page } from "./page.ts";
import { Player } from "./player.ts";
import { followMotion } from "./preferences.ts";
import { Server } from "./server.ts";
import type { Dialog, Session } from "./session.ts";
import { LiveSource, loadEmbedded, loadRecording, type Sink } from "./source.ts";
import { Store } from "./store.ts";
import { slotOf, type Theme } from "./theme.ts";
import { Throttle } from "./throttle.ts";
import type { Workshop } from "./workshop.ts";

/** The events after which other matches and permissions have changed, too. */
const SERVER_EVENTS: ReadonlySet<FeedEvent["type"]> = new Set(["lobby", "start", "end"]);

export class PageSession implements Page, Sink {
  readonly store: Store;
  readonly player: Player;
  readonly server = new Server(() => this.changed());
  readonly embedded = findEmbedded();
  readonly recording = this.embedded?.name ?? new URLSearchParams(location.search).get("recording");
  workshop: Workshop | null = null;
  readonly views: readonly GameView[];
  game: GameView;

  tab = tabInAddress();
  readonly looks = new Looks(
    () => this.board,
    () => this.changed(true),
    (text) => this.say(text),
  );
  dialog: Dialog | null = null;
  filter: Filter = ALL;
  measure = "";
  followed = -1;
  cell = -1;
  pinned = false;
  cursor = false;
  about: Session["about"] = null;
  readonly layers = new MarkLayers(() => {
    this.markBoard();
    this.changed(true);
  });
  problem = "";
  retryAt: number | null = null;
  reached = false;

  only = new URLSearchParams(location.search).get("match") ?? "";
  /** Whether the overlay is shown; null: while its tab is open. */
  private overlay: boolean | null = null;
  /** The moment in the address, until it has arrived. */
  private wanted = momentInAddress();
  private room: Parameters<Board["resize"]> = [0, 0, 0];
  private readonly said = new Notice(() => this.changed(true));
  private dwellTimer = 0;
  protected readonly live: LiveSource;
  private readonly gaps: GapFiller;
  private readonly throttle = new Throttle();

  /** games are all that the page knows, the default one first. */
  constructor(
    readonly games: readonly Game[],
    element: HTMLElement,
  ) {
    this.store = new Store((start, answers) =>
      gameOf(games, start.rules, start.state).story(start, answers),
    );
    this.views = games.map((g) => g.view(this, element));
    this.game = this.views[0];
    for (const view of this.views) view.board.hide(view !== this.game);
    this.player = new Player(
      this.store,
      () => this.game,
      () => {
        this.markBoard();
        this.changed();
      },
    );
    this.live = new LiveSource(this, () => ({
      match: this.store.start?.id ?? "",
      events: this.store.received,
      only: this.only,
    }));
    this.gaps = new GapFiller(this.store, () => this.changed());
    followMotion((reduced) => (this.player.reducedMotion = reduced));
    this.looks.begin();
    window.addEventListener("popstate", ({ state }) =>
      this.readAddress((state as { tab?: Tab } | null)?.tab),
    );
    // While the tab is hidden there are no transitions: what has changed meanwhile appears at once.
    document.addEventListener("visibilitychange", () =>
      document.hidden ? document.documentElement.classList.add("still") : this.resume(),
    );
  }

  begin(): void {
    if (this.recording !== null) {
      if (!this.embedded) void this.server.locate();
      (this.embedded ? loadEmbedded(this.embedded, this) : loadRecording(this.recording, this))
        .then(() => (this.reached = true))
        .catch((e: Error) => (this.problem = e.message))
        .finally(() => this.changed());
    } else {
      this.live.connect();
      void this.server.refresh();
      for (const view of this.views) view.restore?.(location.hash);
    }
    this.animate();
  }

  /** Draws each frame from now on. */
  protected animate(): void {
    const frame = (now: number) => {
      this.player.tick(now);
      this.board.draw(now);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  // The match.

  get cutOff(): boolean {
    return this.retryAt !== null && !(this.store.end && this.reached);
  }

  watch(match: string): void {
    if (this.only === match) return;
    this.only = match;
    this.problem = "";
    this.live.connect();
  }

  retry(): void {
    this.live.connect();
  }

  events(events: FeedEvent[]): void {
    for (const event of events) {
      const before = this.store.start?.id;
      this.store.append(event);
      if (this.recording === null && SERVER_EVENTS.has(event.type)) void this.server.refresh();
      if (event.type === "start") this.matchStarted(event.id === before);
      else if (event.type === "lobby") this.lobbyOpened(event);
    }
    void this.gaps.fill();
    if (this.wanted !== null && (this.store.last >= this.wanted.turn || this.store.over)) {
      this.arrive(this.wanted);
      this.wanted = null;
    }
    this.changed();
  }

  gone(problem: string): void {
    this.problem = problem;
    this.connection(null);
  }

  connection(lost: { retryAt: number } | null): void {
    this.retryAt = lost?.retryAt ?? null;
    if (!lost) this.reached = true;
    this.changed();
  }

  /** Shows a match from its start. If it was shown before, as when the page connects again, what the viewer points at stays. */
  private matchStarted(again: boolean): void {
    const { rules, state } = this.store.start!;
    this.present(this.viewOf(gameOf(this.games, rules, state)));
    this.game.open?.();
    if (!again) {
      this.measure = "";
      this.followed = -1;
      this.point(-1);
    }
    this.player.seek(0);
    if (this.recording === null && this.wanted === null) this.player.follow();
    this.workshop?.matchChanged();
  }

  private lobbyOpened(lobby: LobbyEvent): void {
    this.present(this.viewOf(gameOf(this.games, lobby.game)));
    void this.game.showLobby?.(lobby);
    this.workshop?.matchChanged();
  }

  async order(what: "start" | "fill" | "again"): Promise<void> {
    const problem = await this.server.order(what);
    if (problem) this.say(problem);
    else if (what === "again") this.watch(""); // the new match is the current one
  }

  guests(): number {
    return (
      this.store.lobby?.present.filter(({ role, label }) => role === "player" && !label).length ?? 0
    );
  }

  accompany(match: string, player: number): boolean {
    if (this.store.start?.id !== match) return false;
    if (this.followed !== player) this.follow(player);
    this.player.follow();
    return true;
  }

  slot(player: number): number {
    return slotOf(player + 1, this.store.start?.specials ?? this.store.lobby?.seats.specials ?? 0);
  }

  private resume(): void {
    if (this.player.following) this.player.follow();
    else this.player.refresh();
    this.throttle.flush();
    // The state is on the screen after one frame.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => document.documentElement.classList.remove("still")),
    );
  }

  // The stage.

  get theme(): Theme {
    return this.looks.theme;
  }

  get projector(): boolean {
    return this.looks.projector;
  }

  get board(): Board {
    return this.game.board;
  }

  private viewOf(game: Game): GameView {
    return this.views[this.games.indexOf(game)];
  }

  present(next: GameView): void {
    if (next === this.game) return;
    const { theme, marks, coordinates, strong } = this.board;
    this.board.hide(true);
    this.game = next;
    this.filter = ALL; // other games have other filters
    if (next.starter) this.workshop?.choose();
    else if (this.tab === "edit") {
      history.replaceState(null, "", addressOf("match"));
      this.open("match");
    }
    Object.assign(next.board, { theme, marks, coordinates, strong });
    next.board.hide(false);
    next.board.resize(...this.room);
  }

  resize(...room: Parameters<Board["resize"]>): void {
    this.room = room;
    this.board.resize(...room);
    this.changed(); // the rail depends on the size of the board
  }

  /** Puts what the bot marks on the board, or takes it off. */
  private markBoard(): void {
    this.game.mark?.(this.overlaid);
  }

  // What the viewer does.

  /** Goes to the moment of a link. */
  private arrive({ turn, player }: Moment): void {
    if (player >= 0 && player !== this.followed) this.follow(player);
    this.goTo(turn);
  }

  goTo(turn: number): void {
    this.player.seek(turn);
    this.changed(true);
  }

  /** Shows what the address says, to which the viewer has gone, as by Back. A new moment leaves the tab as it is. */
  private readAddress(left?: Tab): void {
    const moment = momentInAddress();
    if (moment) this.arrive(moment);
    const tab = left ?? (moment ? this.tab : tabInAddress());
    if (tab !== this.tab && (tab !== "edit" || this.game.starter)) this.open(tab);
  }

  select(tab: Tab): void {
    if (tab !== this.tab) {
      try {
        history.replaceState({ tab: this.tab }, ""); // so that Back leads to the one before
        history.pushState({ tab }, "", addressOf(tab));
      } catch {
        // A browser may refuse it for a page in a file.
      }
    }
    this.open(tab);
  }

  private open(tab: Tab): void {
    this.tab = tab;
    this.markBoard();
    this.changed(true);
  }

  shownEvents(): GameEvent[] {
    return this.store.events.filter(
      (e) => (this.followed < 0 || e.player === this.followed) && this.filter.passes(e),
    );
  }

  follow(player: number): void {
    this.followed = player === this.followed || !this.store.seats[player] ? -1 : player;
    this.game.followed?.();
    this.markBoard();
    this.changed(true);
  }

  get mine(): number {
    return this.followed >= 0 ? this.followed : firstBot(this.store);
  }

  get overlaid(): boolean {
    return this.overlay ?? this.tab === "mybot";
  }

  toggleOverlay(): void {
    this.overlay = !this.overlaid;
    this.markBoard();
    if (!this.game.overlayName) this.say("No bot has an overlay yet. Follow a player first.");
    else this.say(`${this.game.overlayName}: ${this.overlaid ? "shown" : "hidden"}.`);
  }

  openDialog(dialog: Dialog | null): void {
    this.dialog = dialog;
    this.changed(true);
  }

  get link(): URL {
    const moment = { turn: this.player.turn, player: this.followed };
    return this.embedded
      ? linkHere(moment)
      : linkTo(moment, this.store, this.recording, this.server.url);
  }

  takeAddress(): void {
    history.replaceState(history.state, "", this.link.search + this.link.hash);
  }

  say(text: string): void {
    this.said.show(text);
  }

  get notice(): string {
    return this.said.text;
  }

  point(cell: number, options: { pinned?: boolean; cursor?: boolean } = {}): void {
    this.cell = cell;
    if (cell >= 0 && this.about?.tapped) this.about = null; // one sheet at a time
    this.pinned = options.pinned ?? false;
    this.cursor = options.cursor ?? false;
    this.board.point({ cell, firm: this.pinned || this.cursor });
    this.game.pointed?.();
    this.changed(true);
  }

  showCard(about: Session["about"], dwell = 0): void {
    clearTimeout(this.dwellTimer);
    const tell = () => {
      if (this.about === about) return;
      this.about = about;
      if (about?.tapped && this.cell >= 0) this.point(-1);
      this.changed(true);
    };
    if (dwell > 0) this.dwellTimer = window.setTimeout(tell, dwell);
    else tell();
  }

  // Drawing.

  onChange(listener: () => void): void {
    this.throttle.listener = listener;
  }

  changed(now = false): void {
    this.throttle.changed(now);
  }
}
