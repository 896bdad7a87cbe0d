// Runs the versions of an event that the server wants to be run, in workers of this page, while the page is open.

import { socketAddress } from "./http.ts";
import type { Order } from "./sandbox.ts";
import { type Report, type Start, VersionBot } from "./versionbot.ts";

/**
 * away: the server cannot be reached, and is tried again. runs: this page runs versions. replaced: another page does. denied: the token is not the
 * operator's.
 */
export type RunnerState = "connecting" | "runs" | "away" | "replaced" | "denied";

/** The time between two attempts to reach the server, in milliseconds. */
const RETRY = 2000;

/** Codes with which the server closes the connection. */
const REPLACED = 4001;
const DENIED = 4003;

/** A message of the server; one of its fields says which one it is. */
interface Message extends Partial<Start> {
  workers?: number;
  answer?: number;
  check?: number;
  to?: number;
  message?: Order;
  stop?: number;
}

export class VersionRunner {
  state: RunnerState = "connecting";
  /** How many bots run at once, at most. */
  workers = 0;

  private socket: WebSocket | null = null;
  private longest = 0;
  private readonly bots = new Map<number, VersionBot>();

  constructor(private readonly token: string, private readonly changed: () => void) {}

  /** Connects to the server, unless the page is connected. */
  connect(): void {
    if (this.socket) return;
    this.enter("connecting");
    const socket = (this.socket = new WebSocket(socketAddress("/admin/runner")));
    socket.onopen = () => this.send({ token: this.token, workers: navigator.hardwareConcurrency || 1 });
    socket.onmessage = (e) => this.receive(JSON.parse(String(e.data)) as Message);
    socket.onclose = (e) => this.closed(e.code);
  }

  private send(message: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private closed(code: number): void {
    this.socket = null;
    for (const bot of this.bots.values()) bot.close();
    this.bots.clear();
    this.enter(code === REPLACED ? "replaced" : code === DENIED ? "denied" : "away");
    if (this.state === "away") setTimeout(() => this.connect(), RETRY);
  }

  private enter(state: RunnerState): void {
    this.state = state;
    this.changed();
  }

  private receive(m: Message): void {
    if (m.check !== undefined) return this.send({ checked: m.check });
    if (m.to !== undefined && m.message) return this.bots.get(m.to)?.pass(m.message);
    if (m.start !== undefined) return this.start(m as Start);
    if (m.stop !== undefined) {
      this.bots.get(m.stop)?.close();
      this.bots.delete(m.stop);
    } else if (m.workers !== undefined) {
      this.workers = m.workers;
      this.longest = m.answer ?? 0;
      this.enter("runs");
    }
  }

  private start(order: Start): void {
    const report: Report = (what) => {
      if ("ended" in what) this.bots.delete(order.start);
      this.send({ from: order.start, ...what });
    };
    this.bots.set(order.start, new VersionBot(order, this.token, this.longest, report));
  }
}
