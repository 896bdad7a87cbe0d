// The state of the screen of an event: which match it shows, at which turn, and the standings, which keep the results of a round back
// until its first match was shown.

import type { FeedEvent } from "./feed.ts";
import type { Game } from "./game.ts";
import { PageSession } from "./pagesession.ts";
import { followTheme } from "./preferences.ts";
import { at } from "./root.ts";
import { type Final, type Screen, type ScreenTeam, type Show, slotsOf } from "./screen.ts";
import { Server } from "./server.ts";
import { loadRecording } from "./source.ts";
import { DARK, SLOTS, type Theme } from "./theme.ts";

/** The pace of a match on the screen: an audience follows eight turns a second. In milliseconds. */
const TURN = 125;
/** The interval of matches that have none, as the player has it. */
const NO_INTERVAL = 250;
/** How often the server is asked, and how often the show goes on, in milliseconds. */
const REFRESH = 1000;
const STEP = 200;
/** How long the last turn is shown, then the podium; and how long a match may take to arrive. */
const LAST_TURN = 3000;
const PODIUM = 10000;
/** How long each of the first three of a final is the last one to be shown, in milliseconds: the third comes first. */
const PLACE = 4000;
/** How long the bracket of a final is shown before the next match, also if that has begun, in milliseconds. */
const BRACKET = 5000;
const ARRIVAL = 10000;

/** The screen shows no more of the server than the event. */
class NoServer extends Server {
  override async refresh(): Promise<void> {}
  override get url(): string {
    return "";
  }
}

export type Phase = "start" | "match" | "podium";

export class ScreenSession extends PageSession {
  override readonly server = new NoServer(() => this.changed());
  phase: Phase = "start";
  screen: Screen | null = null;
  /** The server does not answer. */
  away = false;
  /** What is shown; null: nothing yet. */
  shown: Show | null = null;
  /** The round whose match is or was shown. */
  round = 0;
  /** What is shown is a repetition: its result was in the standings before. */
  replay = false;

  /** When the countdown ends, as performance.now() tells it. */
  private nextAt = 0;
  /** When versions freeze, likewise. */
  private deadlineAt = 0;
  private since = 0;
  /** A match was asked for and has not arrived, and since when. Until then the page stays as it is. */
  private loading = false;
  private asked = 0;
  /** The round whose results have been shown. */
  private revealed = 0;
  /** The standings and the final as before the round that is shown, which may be an earlier one than the last. */
  private before: { teams: ScreenTeam[]; final: Final | null } = { teams: [], final: null };
  private readonly done = new Set<string>();
  private base: Theme = DARK;

  constructor(games: readonly Game[], element: HTMLElement) {
    super(games, element);
    this.looks.toggleProjector();
  }

  override begin(): void {
    followTheme((theme) => this.paint(theme));
    this.animate();
    void this.refresh();
    setInterval(() => this.step(), STEP);
  }

  /** Milliseconds until the next round; null: it does not begin by time. */
  get countdown(): number | null {
    return !this.screen || this.screen.next < 0
      ? null
      : Math.max(0, this.nextAt - performance.now());
  }

  /** Milliseconds until versions freeze; null: there is no deadline. */
  get deadline(): number | null {
    return !this.screen || this.screen.deadline < 0
      ? null
      : Math.max(0, this.deadlineAt - performance.now());
  }

  /** The standings, without the results that are kept back. */
  get standings(): ScreenTeam[] {
    const { screen } = this;
    if (!screen) return [];
    if (this.round > this.revealed) return this.before.teams;
    return screen.round > this.revealed ? screen.before : screen.teams;
  }

  /** The final, without the results that are kept back; null: none is played or has just ended. */
  get final(): Final | null {
    const { screen } = this;
    if (!screen) return null;
    if (this.round > this.revealed) return this.before.final;
    return screen.round > this.revealed ? screen.final_before : screen.final;
  }

  /** The last turn of the match is shown, and its result need not be held back. */
  get finished(): boolean {
    return this.phase === "match" && this.store.over && this.player.turn >= this.store.last;
  }

  /** How many of the first places of a final that is over are not shown yet. */
  get heldPlaces(): number {
    const { final } = this;
    if (!final?.over || this.phase !== "podium") return 0;
    const shown = 1 + Math.floor((performance.now() - this.since) / PLACE);
    return Math.max(0, Math.min(3, final.places.length) - shown);
  }

  private async refresh(): Promise<void> {
    try {
      const response = await fetch(at("/screen.json"));
      if (!response.ok) throw new Error(response.statusText);
      this.screen = (await response.json()) as Screen;
      this.nextAt = performance.now() + this.screen.next;
      this.deadlineAt = performance.now() + this.screen.deadline;
      this.away = false;
    } catch {
      this.away = true;
    }
    this.changed(true);
    setTimeout(() => void this.refresh(), REFRESH);
  }

  /** Goes on with the show. */
  private step(): void {
    if (this.loading) {
      if (performance.now() > this.asked + ARRIVAL) this.skip();
    } else if (this.phase === "match") {
      this.stepMatch();
    } else if (this.phase === "start" || this.paused) {
      this.showNext();
    }
    this.changed();
  }

  private stepMatch(): void {
    const now = performance.now();
    const newer = (this.screen?.round ?? 0) > this.round;
    if (this.finished) this.reveal();
    else this.since = now;
    if ((this.replay && newer) || now > this.since + LAST_TURN) this.enter("podium");
  }

  /** The podium has been shown long enough. The bracket of a final and its winner stay until the next round. */
  private get paused(): boolean {
    const shown = performance.now() - this.since;
    const newer = (this.screen?.round ?? 0) > this.round;
    return this.final ? newer && shown > BRACKET : newer || shown > PODIUM;
  }

  /** The results of the round are no longer kept back. */
  private reveal(): void {
    this.revealed = Math.max(this.revealed, this.round);
  }

  private enter(phase: Phase): void {
    this.phase = phase;
    this.since = performance.now();
    if (phase === "podium") {
      this.live.close();
      this.reveal();
    }
    this.changed(true);
  }

  /** Shows the next match of the last round; after the last one, the first one again. */
  private showNext(): void {
    const { screen } = this;
    if (!screen || screen.shows.length === 0) return;
    if (screen.round !== this.round) this.done.clear();
    const key = ({ match, recording }: Show) => match || recording;
    let next = screen.shows.find((show) => !this.done.has(key(show)));
    if (!next) {
      this.done.clear();
      next = screen.shows[0];
    }
    this.round = screen.round;
    this.replay = this.revealed >= this.round;
    if (!this.replay) this.before = { teams: screen.before, final: screen.final_before };
    this.done.add(key(next));
    this.show(next);
  }

  private show(show: Show): void {
    this.shown = show;
    this.loading = true;
    this.asked = performance.now();
    this.live.close();
    if (show.recording) {
      loadRecording(show.recording, this).catch(() => this.skip());
    } else {
      this.only = show.match;
      this.live.connect();
    }
  }

  /** Goes on without a match that did not arrive. */
  private skip(): void {
    this.loading = false;
    this.enter("podium");
  }

  override events(events: FeedEvent[]): void {
    const start = events.find((e) => e.type === "start");
    if (start?.type === "start") {
      for (const [i, team] of (this.shown?.teams ?? []).entries()) {
        const found = this.screen?.teams.find((t) => t.number === team);
        if (start.seats[i]) start.seats[i].nickname = found?.name ?? start.seats[i].nickname;
      }
      this.paint(this.base);
    }
    super.events(events);
    if (!start || !this.loading) return;
    this.loading = false;
    this.enter("match");
    this.player.seek(0);
    const own = this.store.start!.interval_ms;
    this.player.setSpeed((own >= 16 ? own : NO_INTERVAL) / TURN);
    this.player.playing = true;
  }

  /** Uses a theme with the colours of the teams of the shown match. */
  private paint(theme: Theme): void {
    this.base = theme;
    const players = slotsOf(this.shown?.teams ?? [], SLOTS).map((slot) => theme.players[slot]);
    this.looks.use({ ...theme, players });
  }

  /** The colour of a team in the standings. */
  colour(team: number): string {
    return this.base.players[team % SLOTS].body;
  }

  /** The colour of a team by its name; that of a quiet text if it is hidden. */
  colourOf(name: string): string {
    const team = this.screen?.teams.find((t) => t.name === name);
    return team ? this.colour(team.number) : this.base.text3;
  }
}
