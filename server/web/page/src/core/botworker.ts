// A bot in a web worker, without network and without access to the page. The page
// sends it a message and waits for one. A worker that does not answer in time is
// terminated. The page holds the connection to the match, so that the connection
// survives the worker.

import { at } from "./root.ts";
import { type Level, type Order, type Report, wrap } from "./sandbox.ts";

/** How long a bot may take for a message, in milliseconds. */
const TIME_LIMIT = 2000;

/**
 * How long it may take for running its top-level code, in milliseconds: on a busy laptop a worker
 * alone starts in seconds.
 */
const START_LIMIT = 10_000;

/** What is said of code that is no bot. */
const NO_BOT =
  "The code does not call run(Bot). " +
  "“Reset to starter” shows how a bot looks; Ctrl+Z brings yours back.";

/** Receives what the bot does. */
export interface BotWorkerHandler {
  /** The code has run, and the bot can be asked. */
  ready(): void;
  /** The bot printed a line or failed; line is the line of its code, 0: not known, and order the message that it handles. */
  line(level: Level, text: string, line: number, order?: Order): void;
  /** The bot has handled a message; answer is a message as JSON, empty: it has none. */
  handled(message: Order, answer: string): void;
  /** The bot was stopped; a call of line has told why. */
  stopped(): void;
}

/** Runs the code when it is made. */
export class BotWorker {
  private worker: Worker | null = null;
  private address = "";
  private offset = 0;
  private closed = false;
  /** Messages that the bot has not handled, in order. */
  private readonly pending: Order[] = [];
  private timer = 0;

  constructor(
    code: string,
    private readonly handler: BotWorkerHandler,
  ) {
    void this.load(code);
  }

  /** Runs the code once the kit is there. */
  private async load(code: string): Promise<void> {
    const kit = await loadKit();
    if (this.closed) return;
    if (kit === null) return this.end("The server cannot be reached.", 0);
    const { script, offset } = wrap(code, kit);
    this.offset = offset;
    this.address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.worker = new Worker(this.address);
    this.worker.onmessage = (e: MessageEvent<Report>) => this.receive(e.data);
    this.worker.onerror = (e) => {
      e.preventDefault(); // reported here; it is no error of the page
      this.end(e.message.replace(/^Uncaught /, ""), e.lineno);
    };
    this.wait(START_LIMIT);
  }

  /** Hands a message of the server to the bot. */
  pass(message: Order): void {
    this.worker?.postMessage(message);
    this.pending.push(message);
    if (this.pending.length === 1) this.wait();
  }

  close(): void {
    clearTimeout(this.timer);
    this.closed = true;
    if (this.worker === null) return;
    this.worker.onmessage = this.worker.onerror = null;
    this.worker.terminate();
    URL.revokeObjectURL(this.address);
  }

  private wait(limit = TIME_LIMIT): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.end(tooSlow(this.pending[0]), 0), limit);
  }

  private end(reason: string, line: number): void {
    this.close();
    this.handler.line("error", reason, this.botLine(line), this.pending[0]);
    this.handler.stopped();
  }

  private receive(report: Report): void {
    switch (report.kind) {
      case "ready":
        if (!report.bot) return this.end(NO_BOT, 0);
        clearTimeout(this.timer);
        return this.handler.ready();
      case "line":
        return this.handler.line(
          report.level,
          report.text,
          this.botLine(report.line),
          this.pending[0],
        );
      case "handled":
        return this.handled(report);
    }
  }

  private handled({ answer, failed }: Report & { kind: "handled" }): void {
    clearTimeout(this.timer);
    if (failed) return this.end("The bot was stopped.", 0);
    const message = this.pending.shift()!;
    if (this.pending.length > 0) this.wait();
    this.handler.handled(message, answer);
  }

  private botLine(line: number): number {
    return Math.max(0, line - this.offset);
  }
}

/** Resolves to the text of the JavaScript kit, which browsers keep; null if the server cannot be reached. */
async function loadKit(): Promise<string | null> {
  try {
    const response = await fetch(at(KIT_ADDRESS));
    return response.ok ? await response.text() : null;
  } catch {
    return null;
  }
}

/** Returns why a bot is stopped that has not handled a message in time; undefined: its code has not run to its end. */
function tooSlow(message: Order | undefined): string {
  switch (message?.message_type) {
    case undefined:
      return "The code did not finish within 10 seconds and was stopped. Is there an endless loop?";
    case "TURN":
      return "turn() did not return within 2 seconds, so the bot was stopped. Is there an endless loop?";
    case "GAME_ENDS":
      return "end() did not return within 2 seconds, so the bot was stopped. Is there an endless loop?";
    default:
      return "The constructor did not return within 2 seconds, so the bot was stopped. Is there an endless loop?";
  }
}
