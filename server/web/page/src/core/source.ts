// Sources of events: a live match over a WebSocket, which reconnects, or a recording
// from the server or from the page itself.

import type { Embedded } from "./embedded.ts";
import type { Decided, FeedEvent } from "./feed.ts";
import { fetchRetrying, problemOf, socketAddress } from "./http.ts";
import { recordingPath } from "./link.ts";
import { ROOT } from "./root.ts";

/** Receives the events of a source. */
export interface Sink {
  events(events: FeedEvent[]): void;
  /** null: connected; otherwise the time of the next attempt, as performance.now() tells it. */
  connection(lost: { retryAt: number } | null): void;
  /** The server answers, and does not have the match that is asked for. */
  gone(problem: string): void;
}

/** The wait before the first attempt to reconnect, in milliseconds; it doubles up to the longest. */
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15000;

/** Reconnects until another match is watched, asking only for events that the page lacks. */
export class LiveSource {
  private socket: WebSocket | null = null;
  private wait = FIRST_WAIT;
  private timer = 0;

  /** held returns the match and the number of its events that the page has, and in only the match to watch; empty: the current one. */
  constructor(
    private readonly sink: Sink,
    private readonly held: () => { match: string; events: number; only: string },
  ) {}

  connect(): void {
    clearTimeout(this.timer);
    this.socket?.close();
    const address = socketAddress("/api/live");
    const { match, events, only } = this.held();
    if (only) address.searchParams.set("match", only);
    if (events > 0) {
      address.searchParams.set("held", match);
      address.searchParams.set("from", String(events));
    }
    const socket = (this.socket = new WebSocket(address));
    let batch: FeedEvent[] = [];
    let opened = false;
    // A whole history arrives as thousands of messages, which are handled together.
    const flush = () => {
      const events = batch;
      batch = [];
      if (events.length > 0 && socket === this.socket) this.sink.events(events);
    };
    socket.onopen = () => {
      opened = true;
      this.wait = FIRST_WAIT;
      this.sink.connection(null);
    };
    socket.onmessage = (message) => {
      const event = parse(message.data);
      if (event && batch.push(event) === 1) setTimeout(flush, 0);
    };
    socket.onclose = () => {
      flush();
      if (socket !== this.socket) return;
      this.retryLater();
      if (!opened && only) void this.look(only);
    };
  }

  close(): void {
    clearTimeout(this.timer);
    const { socket } = this;
    this.socket = null;
    socket?.close();
  }

  /** Asks whether the server has a match at all: a browser does not tell why it opens no WebSocket. */
  private async look(match: string): Promise<void> {
    const response = await fetch(`${ROOT}api/match?${new URLSearchParams({ match })}`).catch(
      () => null,
    );
    if (response?.status !== 404 || this.held().only !== match) return;
    this.close();
    this.sink.gone(await problemOf(response));
  }

  private retryLater(): void {
    this.sink.connection({ retryAt: performance.now() + this.wait });
    this.timer = window.setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }
}

/** Returns the events of a live match's history from one index up to, not including, another. */
export async function loadHistory(match: string, from: number, to: number): Promise<FeedEvent[]> {
  const response = await fetchRetrying(
    `${ROOT}api/match/events?match=${encodeURIComponent(match)}&from=${from}&to=${to}`,
  );
  return response.ok ? read(await response.text()) : [];
}

/** Reads a recording from the server; rejects with a sentence for the viewer. */
export async function loadRecording(name: string, sink: Pick<Sink, "events">): Promise<void> {
  const response = await fetchRetrying(recordingPath(name)).catch(() => null);
  if (!response) throw new Error("The server does not answer.");
  if (!response.ok) throw new Error(await problemOf(response));
  // A lost connection cuts the last line; the events before it are shown.
  sink.events(read(await response.text()));
}

/** Returns the turns that decided a match that is over, from its recording; undefined if they are not known. */
export async function loadDecided(name: string): Promise<Decided[] | undefined> {
  const response = await fetchRetrying(`${recordingPath(name)}/end`).catch(() => null);
  const last = response?.ok ? parse(await response.text().catch(() => "")) : null;
  return last?.type === "end" ? last.decided : undefined;
}

/** Reads the recording inside the page; rejects with a sentence for the viewer. */
export async function loadEmbedded(recording: Embedded, sink: Pick<Sink, "events">): Promise<void> {
  sink.events(read(await recording.events()));
}

function read(lines: string): FeedEvent[] {
  return lines
    .split("\n")
    .map(parse)
    .filter((e): e is FeedEvent => e !== null);
}

function parse(text: unknown): FeedEvent | null {
  if (typeof text !== "string" || text === "") return null;
  try {
    return JSON.parse(text) as FeedEvent;
  } catch {
    return null; // the last line of a recording that was cut
  }
}
