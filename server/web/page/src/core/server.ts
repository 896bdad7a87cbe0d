// The house: what the server knows beyond the match that is shown. Which other
// matches there are, what this viewer may do, and how everybody has fared so far.

import { visible } from "./text.ts";

export interface Brief {
  id: string;
  phase: string;
  current: boolean;
  may: string[];
  addresses: string[];
}

export interface Row {
  name: string;
  matches: number;
  wins: number;
  share: number;
  last: number[];
}

interface Health {
  new_games: boolean;
  url?: string;
}

export class Server {
  matches: Brief[] = [];
  table: Row[] = [];
  /** The server makes games on request. */
  newGames = false;
  /** The page's address for other machines, as the server knows it; empty: it does not. */
  private outside = "";
  private asking = false;
  private outdated = false;

  constructor(private readonly changed: () => void) {}

  /** Asks the server anew; once more if something happens meanwhile. */
  async refresh(): Promise<void> {
    this.outdated = true;
    if (this.asking) return;
    this.asking = true;
    try {
      while (this.outdated) {
        this.outdated = false;
        const [matches, table, health] = await Promise.all([
          ask<Brief[]>("/api/matches"), ask<Row[]>("/api/table"), ask<Health>("/api/health"),
        ]);
        this.outside = health?.url ?? this.outside;
        this.newGames = health?.new_games ?? this.newGames;
        this.matches = matches ?? this.matches;
        this.table = table?.map((row) => ({ ...row, name: visible(row.name) })) ?? this.table;
      }
    } finally {
      this.asking = false;
    }
    this.changed();
  }

  /** Asks only where others find the page. */
  async locate(): Promise<void> {
    this.outside = (await ask<Health>("/api/health"))?.url ?? "";
  }

  get current(): Brief | undefined {
    return this.matches.find((m) => m.current);
  }

  /** What this viewer may do with the current match. */
  may(what: "start" | "fill" | "again" | "join"): boolean {
    return this.current?.may.includes(what) ?? false;
  }

  row(name: string): Row | undefined {
    return this.table.find((r) => r.name === name);
  }

  /** The whole address of the page for others; empty if they cannot reach it. */
  get url(): string {
    if (!loopback(location.hostname)) return `${location.origin}/`;
    if (this.outside) return this.outside;
    // The port of the bots answers browsers too.
    const address = this.reachable;
    return address && `http://${address}/`;
  }

  /** The same without what goes without saying, such as "192.168.1.5:4242". */
  get address(): string {
    return this.url && new URL(this.url).host;
  }

  /** Where bots connect from other machines, such as "192.168.1.5:4242"; empty if they cannot. */
  private get reachable(): string {
    return this.current?.addresses.find((a) => !loopback(hostOf(a))) ?? "";
  }

  /** Where a bot connects: as it is called from elsewhere if it can be, else from this machine. */
  get door(): { host: string; port: string } {
    const address = this.reachable || (this.current?.addresses[0] ?? "");
    const host = loopback(location.hostname) ? hostOf(address) : location.hostname;
    return { host: host.replace(/^\[|\]$/g, ""), port: address.slice(address.lastIndexOf(":") + 1) };
  }

  /** Says what came in the way, empty if nothing. */
  async order(what: "start" | "fill" | "again"): Promise<string> {
    const path = `/api/match/${what}?match=${encodeURIComponent(this.current?.id ?? "")}`;
    try {
      const response = await post(path);
      return response.ok ? "" : (((await response.json()) as { error?: string }).error ?? "It does not work.");
    } catch {
      return "The server does not answer.";
    }
  }
}

// The operator's token, for as long as the tab is open.
const tokenKey = "operator";

/** Posts an order, and JSON along with it, until it is cut off. Asks for the operator's token when it takes that. */
export async function post(path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const send = () => {
    const token = sessionStorage.getItem(tokenKey);
    const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {};
    if (body !== undefined) headers["Content-Type"] = "application/json";
    return fetch(path, { method: "POST", headers, body: body === undefined ? null : JSON.stringify(body), signal: signal ?? null });
  };
  const response = await send();
  return response.status === 401 && askToken() ? send() : response;
}

function askToken(): boolean {
  const token = prompt("This takes the operator's token:")?.trim() ?? "";
  sessionStorage.setItem(tokenKey, token);
  return token !== "";
}

/** The host of an address such as "127.0.0.1:4242". */
function hostOf(address: string): string {
  return address.replace(/:\d+$/, "");
}

function loopback(host: string): boolean {
  return host === "localhost" || host.startsWith("127.") || host === "[::1]";
}

async function ask<T>(path: string): Promise<T | null> {
  try {
    const response = await fetch(path);
    return response.ok ? ((await response.json()) as T) : null;
  } catch {
    return null; // the connection's banner says so
  }
}
