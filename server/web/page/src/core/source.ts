// Where events come from: a live match over the WebSocket, which is connected
// again when it is lost, or a recording, from the server or from the page itself.

import type { Embedded } from "./embedded.ts";
import type { FeedEvent } from "./feed.ts";

export interface Sink {
  events(events: FeedEvent[]): void;
  /** null: connected; otherwise when the next attempt is, as performance.now() tells it. */
  line(lost: { retryAt: number } | null): void;
}

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15000;

export class LiveSource {
  private socket: WebSocket | null = null;
  private wait = FIRST_WAIT;
  private timer = 0;

  /** held says how many events of which match's history are there already; only the match that is looked at, empty for whichever is current. */
  constructor(
    private readonly sink: Sink,
    private readonly held: () => { match: string; events: number; only: string },
  ) {}

  connect(): void {
    clearTimeout(this.timer);
    this.socket?.close();
    const address = new URL("/api/live", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const { match, events, only } = this.held();
    if (only) address.searchParams.set("match", only);
    if (events > 0) {
      address.searchParams.set("held", match);
      address.searchParams.set("from", String(events));
    }
    const socket = (this.socket = new WebSocket(address));
    let batch: FeedEvent[] = [];
    // A whole history comes as thousands of messages: they are taken in together.
    const flush = () => {
      const events = batch;
      batch = [];
      if (events.length > 0 && socket === this.socket) this.sink.events(events);
    };
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.sink.line(null);
    };
    socket.onmessage = (message) => {
      const event = parse(message.data);
      if (event && batch.push(event) === 1) setTimeout(flush, 0);
    };
    socket.onclose = () => {
      flush();
      if (socket === this.socket) this.retryLater();
    };
  }

  private retryLater(): void {
    this.sink.line({ retryAt: performance.now() + this.wait });
    this.timer = window.setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }
}

/** The events of a live match's history from one index up to, not including, another. */
export async function loadHistory(match: string, from: number, to: number): Promise<FeedEvent[]> {
  const response = await patient(`/api/match/events?match=${encodeURIComponent(match)}&from=${from}&to=${to}`);
  return response.ok ? read(await response.text()) : [];
}

/** Reads a recording; rejects with a sentence for the reader. */
export async function loadRecording(name: string, sink: Sink): Promise<void> {
  const response = await patient(`/api/recordings/${encodeURIComponent(name)}`).catch(() => null);
  if (!response) throw new Error("The server does not answer.");
  if (!response.ok) throw new Error(await reasonOf(response));
  // A connection that breaks off leaves a line in the middle; what came before it is shown.
  sink.events(read(await response.text()));
}

/** How often a server that is busy is asked again, and how many seconds it may have one wait. */
const ATTEMPTS = 5;
const LONGEST_RETRY = 30;

/** Fetches; a server that has too much to do is asked again when it says so. */
async function patient(address: string): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(address);
    if (response.status !== 503 || attempt === ATTEMPTS) return response;
    const seconds = Number(response.headers.get("Retry-After")) || 1;
    await new Promise((done) => setTimeout(done, 1000 * Math.min(seconds, LONGEST_RETRY)));
  }
}

/** What the server says is wrong, as a sentence. */
async function reasonOf(response: Response): Promise<string> {
  const { error } = (await response.json().catch(() => ({}))) as { error?: string };
  if (!error) return `The server answers with status ${response.status}.`;
  return `${error[0].toUpperCase()}${error.slice(1)}.`;
}

/** Reads the recording that the page carries; rejects with a sentence for the reader. */
export async function loadEmbedded(recording: Embedded, sink: Sink): Promise<void> {
  sink.events(read(await recording.events()));
}

function read(lines: string): FeedEvent[] {
  return lines.split("\n").map(parse).filter((e): e is FeedEvent => e !== null);
}

function parse(text: unknown): FeedEvent | null {
  if (typeof text !== "string" || text === "") return null;
  try {
    return JSON.parse(text) as FeedEvent;
  } catch {
    return null; // a recording that was cut off in the middle of its last line
  }
}
