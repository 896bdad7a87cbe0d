// The page's state: the match, the player above it, what the viewer has chosen,
// and who is told when any of it changes.

import { EDIT, tabInAddress, turnInAddress } from "./address.ts";
import { passes, type Filter, type GameEvent } from "./chronicle.ts";
import { copy } from "./clipboard.ts";
import { findEmbedded } from "./embedded.ts";
import type { FeedEvent, LobbyEvent } from "./feed.ts";
import type { Drawing, GameView } from "./game.ts";
import { makeGames, type Games } from "./games.ts";
import { invitation } from "./hextictactoe/newgame.tsx";
import { keptTicket } from "./hextictactoe/seat.ts";
import type { Side } from "./hextictactoe/story.ts";
import { House } from "./house.ts";
import { Player } from "./player.ts";
import { Pulse } from "./pulse.ts";
import { LiveSource, loadEmbedded, loadHistory, loadRecording, type Sink } from "./source.ts";
import { firstBot } from "./saying.ts";
import { MARKS } from "./sprites.ts";
import { Store } from "./store.ts";
import { gameOf, measuresOf, type GameName } from "./stories.ts";
import { DARK, LIGHT, slotOf, type Theme, type ThemeName } from "./theme.ts";
import { Workshop } from "./workshop.ts";

export type Tab = "match" | "edit" | "ranking" | "mybot" | "analysis" | "recordings" | "rules";
export type Measure = "score" | "cells" | "alive" | "thinking";

/** The events after which the house is another one. */
const HOUSE_EVENTS: ReadonlySet<FeedEvent["type"]> = new Set(["lobby", "start", "end"]);

export class Session implements Sink {
  readonly store = new Store();
  readonly games: Games;
  /** The game on the stage. */
  game: GameView;
  readonly player: Player;
  readonly house = new House(() => this.changed());
  /** The recording inside this page, which then has no server. */
  readonly embedded = findEmbedded();
  /** The name of the recording that is shown; null: the live match. */
  readonly recording = this.embedded?.name ?? new URLSearchParams(location.search).get("recording");

  /** The match that is looked at; empty: whichever is current. */
  private only = new URLSearchParams(location.search).get("match") ?? "";

  tab: Tab = tabInAddress();
  filter: Filter = "all";
  measure: Measure = "score";
  theme: Theme = DARK;
  /** The player that is followed, or -1. */
  followed = -1;
  /** The cells that a bot marks are shown; null: while its tab is open. */
  private overlay: boolean | null = null;
  help = false;
  /** The viewer is asked what game to play. */
  newGame = false;
  projector = false;
  notice = "";
  problem = "";
  /** When the next attempt to connect is, or null while connected. */
  retryAt: number | null = null;
  /** The feed has been reached at least once. */
  reached = false;
  /** The cell under the pointer or the cursor, and where its tooltip belongs. */
  cell = -1;
  pinned = false;
  cursor = false;
  /** The player of whom a card tells, and what it stands beside. */
  about: { player: number; beside: Element } | null = null;

  /** The bot that is written here. */
  readonly workshop = new Workshop((now) => this.changed(now));

  private readonly live: LiveSource;
  private readonly pulse = new Pulse();
  private wanted: number | null = turnInAddress();
  private room: Parameters<Drawing["resize"]> = [0, 0, 0];
  private noticeTimer = 0;
  private filling = false;
  private dwell = 0;

  constructor(boardElement: HTMLElement) {
    this.games = makeGames(this, boardElement);
    this.game = this.games.hexabomb;
    this.player = new Player(this.store, () => this.game, () => {
      this.markBoard();
      this.changed();
    });
    this.live = new LiveSource(this, () => ({ match: this.store.start?.id ?? "", events: this.store.received, only: this.only }));
    const motion = matchMedia("(prefers-reduced-motion: reduce)");
    this.player.reducedMotion = motion.matches;
    motion.onchange = () => (this.player.reducedMotion = motion.matches);
    const light = matchMedia("(prefers-color-scheme: light)");
    const chosen = localStorage.getItem("theme");
    this.applyTheme((chosen ?? (light.matches ? "light" : "dark")) === "light" ? LIGHT : DARK);
    light.onchange = () => {
      if (!localStorage.getItem("theme")) this.applyTheme(light.matches ? LIGHT : DARK);
    };
    window.addEventListener("hashchange", () => {
      const turn = turnInAddress();
      if (turn !== null) this.goTo(turn);
      if (tabInAddress() === "edit") this.select("edit");
    });
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.player.refresh();
    });
  }

  begin(): void {
    if (this.recording !== null) {
      if (!this.embedded) void this.house.locate();
      (this.embedded ? loadEmbedded(this.embedded, this) : loadRecording(this.recording, this))
        .then(() => (this.reached = true))
        .catch((e: Error) => (this.problem = e.message))
        .finally(() => this.changed());
    } else {
      this.live.connect();
      void this.house.refresh();
      const invited = invitation(location.hash);
      // The token is a secret: it does not stay in the address.
      if (invited) history.replaceState(null, "", "/");
      const ticket = invited ?? keptTicket();
      if (ticket) this.sit(ticket.game, ticket.side, ticket.token);
    }
    const frame = (now: number) => {
      this.player.tick(now);
      this.board.draw(now);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  /** The line to a match that is still being played is cut. */
  get cutOff(): boolean {
    return this.retryAt !== null && !(this.store.end && this.reached);
  }

  /** Takes a seat of a game that is about to begin. */
  sit(game: string, side: Side, token: string): void {
    this.put("hextictactoe");
    this.games.hextictactoe.sit(game, side, token);
    this.changed(true);
  }

  toggleNewGame(open: boolean): void {
    this.newGame = open;
    this.changed(true);
  }

  /** Looks at one match from now on. */
  attend(match: string): void {
    if (this.only === match) return;
    this.only = match;
    this.live.connect();
  }

  retry(): void {
    this.live.connect();
  }

  events(events: FeedEvent[]): void {
    for (const event of events) {
      this.store.append(event);
      if (this.recording === null && HOUSE_EVENTS.has(event.type)) void this.house.refresh();
      if (event.type === "start") this.opened();
      else if (event.type === "lobby") this.gathered(event);
    }
    if (this.store.gap && !this.filling) void this.fill();
    if (this.wanted !== null && (this.store.last >= this.wanted || this.store.over)) {
      this.player.seek(this.wanted);
      this.wanted = null;
    }
    this.changed();
  }

  /** A page that fell behind gets the turns that it was not shown afterwards. */
  private async fill(): Promise<void> {
    const gap = this.store.gap!;
    const id = this.store.start!.id;
    this.filling = true;
    try {
      // The start is event 0 of the history, so that turn k is event k.
      const missing = await loadHistory(id, gap.from, gap.to + 1);
      if (this.store.start?.id === id) await this.store.fill(missing, nextFrame);
    } finally {
      this.filling = false;
    }
    this.changed();
  }

  line(lost: { retryAt: number } | null): void {
    this.retryAt = lost?.retryAt ?? null;
    if (!lost) this.reached = true;
    this.changed();
  }

  private opened(): void {
    const { store } = this;
    this.put(gameOf(store.start!.rules, store.start!.state));
    this.game.open();
    this.measure = measuresOf(store.start!)[0] ?? "score";
    this.followed = this.cell = -1;
    this.player.seek(0);
    if (this.recording === null && this.wanted === null) this.player.follow();
  }

  private gathered(lobby: LobbyEvent): void {
    this.put(gameOf(lobby.game));
    void this.game.gather(lobby);
    this.workshop.gathering();
  }

  get board(): Drawing {
    return this.game.board;
  }

  resize(...room: Parameters<Drawing["resize"]>): void {
    this.room = room;
    this.board.resize(...room);
    this.changed(); // what stands beside the board goes by its size
  }

  /** Puts a game on the stage. Its board looks as the one before did. */
  private put(name: GameName): void {
    const next = this.games[name];
    if (next === this.game) return;
    const { theme, marks, coordinates, strong } = this.board;
    this.board.hide(true);
    this.game = next;
    Object.assign(next.board, { theme, marks, coordinates, strong });
    next.board.hide(false);
    next.board.resize(...this.room);
  }

  // What the viewer does.

  goTo(turn: number): void {
    this.player.seek(turn);
    this.changed(true);
  }

  select(tab: Tab): void {
    if (tab === "edit") history.replaceState(null, "", EDIT);
    else if (location.hash === EDIT) history.replaceState(null, "", location.pathname + location.search);
    this.tab = tab;
    this.markBoard();
    this.changed(true);
  }

  /** The nearest turn with an event that the filter lets through, after or before the shown one. */
  jump(direction: 1 | -1): void {
    const turns = this.shownEvents().map((e) => e.turn);
    const { turn } = this.player;
    const next = direction > 0 ? turns.find((t) => t > turn) : turns.reverse().find((t) => t < turn);
    if (next === undefined) return this.say(direction > 0 ? "No later event." : "No earlier event.");
    this.player.playing = false;
    this.goTo(next);
  }

  shownEvents(): GameEvent[] {
    return this.store.events.filter((e) => (this.followed < 0 || e.player === this.followed) && passes(this.filter, e));
  }

  toggleTheme(): void {
    this.applyTheme(this.theme === DARK ? LIGHT : DARK);
    localStorage.setItem("theme", this.theme.name);
    this.say(this.theme === DARK ? "Dark." : "Light.");
  }

  private applyTheme(theme: Theme): void {
    this.theme = this.board.theme = theme;
    document.documentElement.dataset.theme = theme.name satisfies ThemeName;
    this.board.restyle();
    this.changed(true);
  }

  toggleCoordinates(): void {
    this.board.coordinates = !this.board.coordinates;
    this.board.restyle();
    this.changed(true);
  }

  cycleMarks(): void {
    this.board.marks = MARKS[(MARKS.indexOf(this.board.marks) + 1) % MARKS.length];
    this.board.restyle();
    this.say({ shapes: "Marks: shapes", letters: "Marks: letters", strong: "Marks: strong shapes", off: "Marks: off" }[this.board.marks]);
  }

  toggleProjector(): void {
    this.projector = !this.projector;
    this.board.strong = this.projector;
    document.documentElement.classList.toggle("projector", this.projector);
    this.board.restyle();
    this.changed(true);
  }

  follow(player: number): void {
    this.followed = player === this.followed || !this.store.seats[player] ? -1 : player;
    this.markBoard();
    this.changed(true);
  }

  /** The player whose bot the tab My bot is about, or -1. */
  get mine(): number {
    return this.followed >= 0 ? this.followed : firstBot(this.store);
  }

  get overlaid(): boolean {
    return this.overlay ?? this.tab === "mybot";
  }

  toggleOverlay(): void {
    this.overlay = !this.overlaid;
    this.markBoard();
    const { overlayName } = this.game;
    if (overlayName === "") this.say("No bot has an overlay yet. Follow a player first.");
    else this.say(`${overlayName}: ${this.overlaid ? "shown" : "hidden"}.`);
  }

  /** Puts the marks of the bot on the board, or takes them off. */
  private markBoard(): void {
    this.game.mark(this.overlaid);
  }

  toggleHelp(open = !this.help): void {
    this.help = open;
    this.changed(true);
  }

  fullScreen(): void {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void document.documentElement.requestFullscreen?.();
  }

  /** Copies a link that leads to this turn of this match for as long as there is a recording of it. */
  async copyLink(): Promise<void> {
    const link = this.link;
    const copied = await copy(this, "Link to this turn", link.href, "The address bar holds the link to this turn.");
    // The page of a match that goes on keeps its address, which is that of what is live.
    if (!copied || this.recording !== null) history.replaceState(null, "", link.search + link.hash);
  }

  private get link(): URL {
    const { start } = this.store;
    const link = new URL(location.href);
    link.hash = `t=${this.player.turn}`;
    if (this.embedded) return link;
    const elsewhere = this.house.url;
    if (elsewhere) {
      const { protocol, host } = new URL(elsewhere);
      Object.assign(link, { protocol, host });
    }
    const recording = this.recording ?? start?.recording;
    if (recording) link.search = new URLSearchParams({ recording }).toString();
    else if (start) link.search = new URLSearchParams({ match: start.id }).toString();
    return link;
  }

  /** Has the server do what its operator may. */
  async order(what: "start" | "fill" | "again"): Promise<void> {
    const problem = await this.house.order(what);
    if (problem) this.say(problem);
  }

  /** A short notice, also for those who listen. */
  say(text: string): void {
    this.notice = text;
    clearTimeout(this.noticeTimer);
    this.noticeTimer = window.setTimeout(() => {
      this.notice = "";
      this.changed();
    }, 2500);
    this.changed(true);
  }

  point(cell: number, options: { pinned?: boolean; cursor?: boolean } = {}): void {
    this.cell = cell;
    this.pinned = options.pinned ?? false;
    this.cursor = options.cursor ?? false;
    this.board.point({ cell, firm: this.pinned || this.cursor });
    this.game.pointed();
    this.changed(true);
  }

  /** Shows the card about a player, at once or when the pointer has stayed; null takes it away. */
  tellOf(about: Session["about"], dwell = 0): void {
    clearTimeout(this.dwell);
    const tell = () => {
      if (this.about === about) return;
      this.about = about;
      this.changed(true);
    };
    if (dwell > 0) this.dwell = window.setTimeout(tell, dwell);
    else tell();
  }

  slot(player: number): number {
    return slotOf(player + 1, this.store.start?.specials ?? this.store.lobby?.seats.specials ?? 0);
  }

  // Who is told.

  onChange(listener: () => void): void {
    this.pulse.listener = listener;
  }

  changed(now = false): void {
    this.pulse.changed(now);
  }
}

function nextFrame(): Promise<void> {
  // Hidden tabs have no frames, and nobody whom it would disturb.
  return new Promise((done) => (document.hidden ? setTimeout(done) : requestAnimationFrame(() => done())));
}
