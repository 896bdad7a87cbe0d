// A bot in a worker. It has no network and no page: it is asked with a message and
// answers with one, and when it does not, the worker is ended. The page holds the
// connection to the match, so that none of that is the connection's loss.

import { type Level, type Order, type Report, wrap } from "./sandbox.ts";

/** How long a bot may take for a turn, and its code to be read, in milliseconds. */
const PATIENCE = 2000;

export interface BotWorkerHandler {
  /** The bot is there, and waits to be asked. */
  ready(): void;
  /** It printed something, or made a mistake, in a line of its code (0: somewhere). */
  line(level: Level, text: string, line: number): void;
  answer(turn: number, actions: string): void;
  /** It is gone, for a reason that was told as a line. */
  dead(): void;
}

export class BotWorker {
  private readonly worker: Worker;
  private readonly address: string;
  private readonly offset: number;
  private timer = 0;

  constructor(code: string, helpers: () => object, private readonly handler: BotWorkerHandler) {
    const { script, offset } = wrap(code, helpers);
    this.offset = offset;
    this.address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.worker = new Worker(this.address);
    this.worker.onmessage = (e: MessageEvent<Report>) => this.hear(e.data);
    this.worker.onerror = (e) => {
      e.preventDefault(); // it is told here, and is no fault of the page
      this.end(e.message.replace(/^Uncaught /, ""), e.lineno);
    };
    this.wait("The code did not come to its end within 2 seconds: is there a loop that never ends? It was stopped.");
  }

  begin(game: object): void {
    this.tell({ kind: "game", game });
  }

  ask(turn: number, state: object, me: number): void {
    this.tell({ kind: "turn", turn, state, me });
    this.wait(`turn() did not return within 2 seconds in turn ${turn}: is there a loop that never ends? The bot was stopped.`);
  }

  close(): void {
    clearTimeout(this.timer);
    this.worker.onmessage = this.worker.onerror = null;
    this.worker.terminate();
    URL.revokeObjectURL(this.address);
  }

  private tell(order: Order): void {
    this.worker.postMessage(order);
  }

  private wait(reason: string): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.end(reason, 0), PATIENCE);
  }

  private end(reason: string, line: number): void {
    this.close();
    this.handler.line("error", reason, this.ofBot(line));
    this.handler.dead();
  }

  private hear(report: Report): void {
    switch (report.kind) {
      case "ready":
        if (!report.plays) return this.end("There is no function turn(state, me).", 0);
        clearTimeout(this.timer);
        return this.handler.ready();
      case "line":
        return this.handler.line(report.level, report.text, this.ofBot(report.line));
      case "answer":
        clearTimeout(this.timer);
        return this.handler.answer(report.turn, report.actions);
    }
  }

  private ofBot(line: number): number {
    return Math.max(0, line - this.offset);
  }
}
