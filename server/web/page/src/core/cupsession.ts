// The state of the page of a cup: the scoreboard, which is asked for again while the cup is
// played, and what the viewer has chosen.

import type { Pair, Played, Scoreboard } from "./cup.ts";
import { unpack } from "./embedded.ts";
import { problemOf } from "./http.ts";
import { followTheme, keepTheme } from "./preferences.ts";
import { at, ROOT } from "./root.ts";
import { DARK, LIGHT, type Theme } from "./theme.ts";

/** The time from an answer to the next request in milliseconds; after failures it doubles up to the longest. */
const INTERVAL = 1000;
const LONGEST_INTERVAL = 15000;

/** A cup without a new match for as long as this in milliseconds, and for as long as so many matches take, has stopped. */
const STOPPED_TIME = 15000;
const STOPPED_MATCHES = 5;

export class CupSession {
  board: Scoreboard | null = null;
  /** Why the scoreboard is not up to date; empty: it is. */
  problem = "";
  theme: Theme = DARK;
  projector = false;
  /** The bots whose matches are listed, and these matches; null: not loaded yet. */
  pair: Pair | null = pairInAddress();
  matches: Played[] | null = null;
  /** Calls draw when the page has to be drawn. */
  draw: () => void = () => {};

  /** The scoreboard inside this page, which then has no server. */
  private readonly embedded = document.getElementById("cup");
  private tag = "";
  private grownAt = 0;
  private lively = false;
  private wait = INTERVAL;
  private timer = 0;

  begin(): void {
    followTheme((theme) => this.applyTheme(theme));
    window.addEventListener("hashchange", () => this.choose(pairInAddress()));
    window.addEventListener("keydown", (e) => this.press(e));
    document.addEventListener("visibilitychange", () => this.refresh());
    if (this.embedded) void this.unpack(this.embedded);
    else this.refresh();
  }

  /** The cup is being played, as far as its new matches tell. */
  get live(): boolean {
    const { board } = this;
    if (!board || board.over || board.rate === 0) return false;
    return (
      performance.now() - this.grownAt <
      Math.max(STOPPED_TIME, (1000 * STOPPED_MATCHES) / board.rate)
    );
  }

  private async unpack(element: HTMLElement): Promise<void> {
    await unpack(element.textContent ?? "").then(
      (text) => this.show(JSON.parse(text)),
      (e: Error) => (this.problem = e.message),
    );
    this.draw();
  }

  /** Asks for the scoreboard now, and then again until the cup is over. A hidden page does not ask. */
  private refresh(): void {
    clearTimeout(this.timer);
    if (this.embedded || document.hidden || this.board?.over) return;
    void this.load().then((ok) => {
      this.wait = ok ? INTERVAL : Math.min(2 * this.wait, LONGEST_INTERVAL);
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.refresh(), this.wait);
    });
  }

  /** Resolves to whether the scoreboard is up to date. */
  private async load(): Promise<boolean> {
    const before = this.problem;
    this.problem = "";
    try {
      const response = await fetch(at("/api/cup"));
      const tag = response.headers.get("ETag") ?? "";
      if (!response.ok) this.problem = await problemOf(response);
      else if (tag !== this.tag || tag === "") {
        this.show((await response.json()) as Scoreboard);
        this.tag = tag;
        this.draw();
      }
    } catch {
      this.problem = "The server does not answer. Trying again…";
    }
    if (this.problem !== before || this.live !== this.lively) this.draw();
    this.lively = this.live;
    return this.problem === "";
  }

  private show(board: Scoreboard): void {
    const recorded = board.recorded !== this.board?.recorded;
    if (board.standings.matches !== this.board?.standings.matches) this.grownAt = performance.now();
    this.board = board;
    if (this.pair && recorded) void this.loadMatches();
  }

  private choose(pair: Pair | null): void {
    this.pair = pair;
    this.matches = null;
    if (pair) void this.loadMatches();
    this.draw();
  }

  /** Loads the matches of the chosen bots. */
  private async loadMatches(): Promise<void> {
    const { bot, against } = this.pair!;
    const all = this.board?.matches;
    if (this.embedded)
      this.matches = (all ?? []).filter((m) => m.bots.includes(bot) && m.bots.includes(against));
    else {
      const response = await fetch(
        `${ROOT}api/cup/matches?${new URLSearchParams({ bot, against })}`,
      ).catch(() => null);
      const list = response?.ok ? ((await response.json()) as Played[]) : null;
      if (this.pair?.bot !== bot || this.pair.against !== against) return; // another choice meanwhile
      this.matches = list ?? this.matches;
    }
    this.draw();
  }

  private press(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "d") this.toggleTheme();
    else if (e.key === "p") this.toggleProjector();
    else if (e.key === "f") this.fullScreen();
  }

  private applyTheme(theme: Theme): void {
    this.theme = theme;
    document.documentElement.dataset.theme = theme.name;
    this.draw();
  }

  toggleTheme(): void {
    this.applyTheme(this.theme === DARK ? LIGHT : DARK);
    keepTheme(this.theme);
  }

  toggleProjector(): void {
    this.projector = !this.projector;
    document.documentElement.classList.toggle("projector", this.projector);
    this.draw();
  }

  fullScreen(): void {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void document.documentElement.requestFullscreen?.();
  }
}

/** Returns the fragment of the address that lists the matches of two bots. */
export function addressOf(pair: Pair): string {
  return `#${new URLSearchParams({ bot: pair.bot, against: pair.against })}`;
}

function pairInAddress(): Pair | null {
  const given = new URLSearchParams(location.hash.slice(1));
  const bot = given.get("bot");
  const against = given.get("against");
  return bot && against ? { bot, against } : null;
}
