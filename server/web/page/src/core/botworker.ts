// A bot in a web worker, without network and without access to the page. The page
// sends it a message and waits for one. A worker that does not answer in time is
// terminated. The page holds the connection to the match, so that the connection
// survives the worker.

import { type Level, type Order, type Report, wrap } from "./sandbox.ts";

/** How long a bot may take for a turn, and for running its top-level code, in milliseconds. */
const TIME_LIMIT = 2000;

/** Receives what the bot does. */
export interface BotWorkerHandler {
  /** The code has run, and the bot can be asked. */
  ready(): void;
  /** The bot printed a line or failed; line is the line of its code, 0: not known. */
  line(level: Level, text: string, line: number): void;
  answer(turn: number, actions: string): void;
  /** The bot was stopped; a call of line has told why. */
  stopped(): void;
}

/** Runs the code when it is made. */
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
    this.worker.onmessage = (e: MessageEvent<Report>) => this.receive(e.data);
    this.worker.onerror = (e) => {
      e.preventDefault(); // reported here; it is no error of the page
      this.end(e.message.replace(/^Uncaught /, ""), e.lineno);
    };
    this.wait("The code did not finish within 2 seconds and was stopped. Is there an endless loop?");
  }

  begin(game: object): void {
    this.send({ kind: "game", game });
  }

  ask(turn: number, state: object, me: number): void {
    this.send({ kind: "turn", turn, state, me });
    this.wait(`turn() did not return within 2 seconds in turn ${turn}, so the bot was stopped. Is there an endless loop?`);
  }

  close(): void {
    clearTimeout(this.timer);
    this.worker.onmessage = this.worker.onerror = null;
    this.worker.terminate();
    URL.revokeObjectURL(this.address);
  }

  private send(order: Order): void {
    this.worker.postMessage(order);
  }

  private wait(reason: string): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.end(reason, 0), TIME_LIMIT);
  }

  private end(reason: string, line: number): void {
    this.close();
    this.handler.line("error", reason, this.botLine(line));
    this.handler.stopped();
  }

  private receive(report: Report): void {
    switch (report.kind) {
      case "ready":
        if (!report.plays) return this.end("There is no function turn(state, me).", 0);
        clearTimeout(this.timer);
        return this.handler.ready();
      case "line":
        return this.handler.line(report.level, report.text, this.botLine(report.line));
      case "answer":
        clearTimeout(this.timer);
        return this.handler.answer(report.turn, report.actions);
    }
  }

  private botLine(line: number): number {
    return Math.max(0, line - this.offset);
  }
}
