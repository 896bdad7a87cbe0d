// What the server knows besides the shown match: other matches, and what this viewer may do.

import { operate } from "./http.ts";
import { at, ROOT } from "./root.ts";
import { visible } from "./text.ts";

/** A match as the list of matches has it. */
export interface Match {
  id: string;
  phase: string;
  current: boolean;
  /** What this viewer may do: "start", "fill", "restart", "again"; "join": let a bot of this page play; "sit": play in person. */
  may: string[];
  addresses: string[];
  /** No turn is played until its operator lets it go on. */
  paused?: boolean;
  /** The players without a time limit whose answers a turn waits for. */
  awaits?: number[];
  /** Why the match is not recorded, for the operator. */
  unrecorded?: string;
}

/** A language in which the server has a bot to begin with. */
export interface Kit {
  language: string;
  name: string;
  /** Builds and runs the bot in a shell; host and port follow. */
  command: string;
}

interface Health {
  new_games: boolean;
  tokens: boolean;
  cup: boolean;
  event?: string;
  operator: boolean;
  deletes: boolean;
  draws: boolean;
  plays_on: boolean;
  url?: string;
}

/** Asks the server when events of the feed say that something has changed. */
export class Server {
  matches: Match[] = [];
  /** The server makes games on request. */
  newGames = false;
  /** Bots need a token to log in. */
  tokens = false;
  /** The server shows a cup, and the recordings that are seen are those of its matches. */
  cup = false;
  /** The name of the event whose matches are shown; empty: they are of none. */
  event = "";
  /** This viewer may try what only the operator may do. */
  operator = false;
  /** This viewer may try to delete recordings. */
  deletes = false;
  /** This viewer may try to play recorded matches on. */
  playsOn = false;
  /** The server draws pictures of recordings. */
  draws = false;
  /** The languages of the starters; the first is the default. */
  kits: Kit[] = [{ language: "python", name: "Python", command: "python3 my_bot.py" }];
  /** The one that the viewer has chosen. */
  kit = this.kits[0];
  private kitsOf = "";
  /** The page's address for other machines; empty: the server does not know it. */
  private outside = "";
  private asking = false;
  private outdated = false;

  constructor(private readonly changed: () => void) {}

  /** Asks the server again; twice if something changes meanwhile. */
  async refresh(): Promise<void> {
    this.outdated = true;
    if (this.asking) return;
    this.asking = true;
    try {
      while (this.outdated) {
        this.outdated = false;
        const [matches, health] = await Promise.all([
          ask<Match[]>("/api/matches"),
          ask<Health>("/api/health"),
        ]);
        this.note(health);
        this.matches = matches ?? this.matches;
      }
    } finally {
      this.asking = false;
    }
    this.changed();
  }

  /** Asks only what a page needs that shows a recording: its address for other machines, and whether it is one of a cup. */
  async locate(): Promise<void> {
    this.note(await ask<Health>("/api/health"));
    this.changed();
  }

  private note(health: Health | null): void {
    if (!health) return;
    const {
      url = "",
      new_games: newGames,
      tokens,
      cup,
      event = "",
      operator,
      deletes,
      draws,
      plays_on: playsOn,
    } = health;
    Object.assign(this, {
      outside: url,
      newGames,
      tokens,
      cup,
      event,
      operator,
      deletes,
      draws,
      playsOn,
    });
  }

  /** Asks for the languages of a game's starters, once. */
  async loadKits(game: string): Promise<void> {
    if (this.kitsOf === game) return;
    this.kitsOf = game;
    const kits = await ask<Kit[]>(`/api/starters?game=${encodeURIComponent(game)}`);
    if (kits?.length) this.kits = kits;
    this.choose(this.kit.language);
  }

  /** Chooses the language of the starter. */
  choose(language: string): void {
    this.kit = this.kits.find((k) => k.language === language) ?? this.kits[0] ?? this.kit;
    this.changed();
  }

  get current(): Match | undefined {
    return this.matches.find((m) => m.current);
  }

  /** Reports whether this viewer may do something with a match, by default the current one. */
  may(what: "start" | "fill" | "again" | "join" | "sit", match = this.current?.id): boolean {
    return this.find(match)?.may.includes(what) ?? false;
  }

  /** Returns the match with an id. */
  find(match: string | undefined): Match | undefined {
    return this.matches.find((m) => m.id === match);
  }

  /** Why the current match is not recorded; empty: it is, or this viewer is not the operator. */
  get unrecorded(): string {
    return visible(this.current?.unrecorded ?? "");
  }

  /** The URL of the page for other machines; empty if they cannot reach it. */
  get url(): string {
    if (!loopback(location.hostname)) return location.origin + ROOT;
    if (this.outside) return this.outside;
    // The port for bots serves browsers, too.
    const address = this.reachable;
    return address && `http://${address}/`;
  }

  /** Host and port of the page, such as "192.168.1.5:4242". */
  get address(): string {
    return this.url && new URL(this.url).host;
  }

  /** Where bots on other machines connect, such as "192.168.1.5:4242"; empty if they cannot. */
  private get reachable(): string {
    return this.current?.addresses.find((a) => !loopback(hostOf(a))) ?? "";
  }

  /** Where bots connect: the address for other machines if there is one, or else that for this machine. */
  get botAddress(): { host: string; port: string } {
    const address = this.reachable || (this.current?.addresses[0] ?? "");
    const host = loopback(location.hostname) ? hostOf(address) : location.hostname;
    return {
      host: host.replace(/^\[|\]$/g, ""),
      port: address.slice(address.lastIndexOf(":") + 1),
    };
  }

  /** Has the server do something with the current match; resolves to the problem, empty if there was none. */
  order(what: "start" | "fill" | "again"): Promise<string> {
    return operate(this.current?.id ?? "", what);
  }
}

/** Returns the host of an address such as "127.0.0.1:4242". */
function hostOf(address: string): string {
  return address.replace(/:\d+$/, "");
}

function loopback(host: string): boolean {
  return host === "localhost" || host.startsWith("127.") || host === "[::1]";
}

async function ask<T>(path: string): Promise<T | null> {
  try {
    const response = await fetch(at(path));
    return response.ok ? ((await response.json()) as T) : null;
  } catch {
    return null; // the connection's banner tells the viewer
  }
}
