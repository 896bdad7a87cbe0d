// A version of an event in a worker of this page. The server has its seat; its messages go over the connection of the page.

import { loginOf } from "./botclient.ts";
import { BotWorker, type BotWorkerHandler } from "./botworker.ts";
import { at } from "./root.ts";
import type { Level, Order } from "./sandbox.ts";

/** What the server wants to be started. */
export interface Start {
  /** The number of the bot. */
  start: number;
  /** The address of its code. */
  source: string;
  /** The name of the code's file. */
  file: string;
  nickname: string;
}

/** Receives what a bot says, or that it has ended. */
export type Report = (what: { answer: string } | { line: string } | { ended: boolean }) => void;

/** The rules of the server hold: it asks no more of a bot that misses turns, and stops it at the end of the match. */
const RULES = { message: Infinity, start: Infinity, noBot: "The code does not call run(Bot), as the starter does at its end." };

/** The length of a line that is passed on, in characters. Bots run in the worker with the code that bounds their lines, and may have changed what that uses. */
const LONGEST_LINE = 2000;

export class VersionBot implements BotWorkerHandler {
  private worker: BotWorker | null = null;
  private over = false;

  /** longest is the length of the longest answer that the server accepts, in characters. */
  constructor(private readonly order: Start, token: string, private readonly longest: number, private readonly report: Report) {
    void this.load(token);
  }

  private async load(token: string): Promise<void> {
    const response = await fetch(at(this.order.source), { headers: { Authorization: `Bearer ${token}` } }).catch(() => null);
    const code = response?.ok ? await response.text().catch(() => null) : null;
    if (this.over) return;
    if (code === null) return this.fail("The server does not send the code.");
    this.worker = new BotWorker(code, this, RULES); // calls ready or stopped
  }

  /** Hands the bot a message of the server. */
  pass(message: Order): void {
    switch (message.message_type) {
      case "GAME_STARTS":
      case "TURN":
      case "GAME_ENDS":
        return this.worker?.pass(message);
      case "KICK":
        return this.end(false);
    }
  }

  /** Terminates the worker; the server has stopped the bot. */
  close(): void {
    this.over = true;
    this.worker?.close();
  }

  private end(failed: boolean): void {
    if (this.over) return;
    this.close();
    this.report({ ended: failed });
  }

  private fail(why: string): void {
    this.line("error", why);
    this.end(true);
  }

  // Reports of the worker.

  ready(): void {
    this.report({ answer: loginOf(this.order.nickname, "") });
  }

  line(_: Level, text: string, line = 0): void {
    const place = line > 0 ? `${this.order.file}:${line}: ` : "";
    this.report({ line: place + String(text).slice(0, LONGEST_LINE) });
  }

  handled(message: Order, answer: string): void {
    if (typeof answer !== "string" || answer.length > this.longest) return this.fail(`An answer has more than ${this.longest} characters.`);
    if (answer !== "") this.report({ answer });
    if (message.message_type === "GAME_ENDS") this.end(false);
  }

  stopped(): void {
    this.end(true);
  }
}
