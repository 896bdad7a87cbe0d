// The sandbox of a bot in its worker. The text of sandbox() stands before the bot's
// code in one script, so it must not refer to anything outside itself.

/** A message of the server, which the bot is to handle. */
export type Order = { message_type: string; [more: string]: unknown };

/** What the worker tells the page. Lines are counted from the first of the script; 0: not known. */
export type Report =
  /** The code has run. bot: it has called run. */
  | { kind: "ready"; bot: boolean }
  | { kind: "line"; level: Level; text: string; line: number }
  /** An order was handled. answer is the message to send, as JSON, empty if there is nothing to send. failed: the bot cannot go on. */
  | { kind: "handled"; answer: string; failed: boolean };

export type Level = "log" | "error";

/** What the sandbox uses of the kit. */
interface Kit {
  Session: new (Bot: unknown) => { receive(message: Order): Promise<object | undefined> };
}

/** A name that no bot is likely to use. */
const ENTRY = "__begin_hexarena_bot";

/** The globals that a bot keeps: those of the language, and none that reach outside. */
const KEPT = (
  "globalThis self undefined NaN Infinity Object Function Array Boolean Number BigInt String Symbol Math JSON Date RegExp " +
  "Map Set WeakMap WeakSet WeakRef Promise Proxy Reflect Intl ArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray " +
  "Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array Error AggregateError " +
  "EvalError RangeError ReferenceError SyntaxError TypeError URIError parseInt parseFloat isNaN isFinite " +
  "encodeURI encodeURIComponent decodeURI decodeURIComponent structuredClone"
).split(" ");

/** offset is the number of lines before the bot's first; load runs the kit, a CommonJS module. */
export function sandbox(
  entry: string,
  kept: string[],
  offset: number,
  load: (module: { exports: object }) => void,
): void {
  const MAX_LINES = 100; // in one turn
  const MAX_LENGTH = 2000; // of a line, in characters
  const scope = globalThis as unknown as Record<string, unknown>;
  const post = globalThis.postMessage.bind(globalThis) as (report: Report) => void;
  const listen = globalThis.addEventListener.bind(globalThis);
  const kit = { exports: {} }; // loaded before it loses the clock
  load(kit);

  // Only the code below can talk to the page, and nothing can reach the network.
  for (let o: object = globalThis; o && o !== Object.prototype; o = Object.getPrototypeOf(o)) {
    for (const name of Object.getOwnPropertyNames(o)) {
      if (!kept.includes(name)) Reflect.deleteProperty(o, name);
    }
  }

  let printed = 0;
  const write = (level: Level, text: string, line = 0) => {
    printed++;
    if (printed <= MAX_LINES) post({ kind: "line", level, text: text.slice(0, MAX_LENGTH), line });
    if (printed === MAX_LINES)
      post({
        kind: "line",
        level: "error",
        text: `${MAX_LINES} lines in one turn: the rest is left out.`,
        line: 0,
      });
  };
  const show = (value: unknown): string => {
    if (typeof value === "string" || value instanceof Error) return String(value);
    try {
      return (
        JSON.stringify(value instanceof Map || value instanceof Set ? [...value] : value) ??
        String(value)
      );
    } catch {
      return String(value);
    }
  };
  /** Reports an error with the innermost line of the bot's own code. */
  const fail = (error: unknown) => {
    const places = [...String((error as Error)?.stack).matchAll(/blob:[^\s()]*?:(\d+):\d+/g)];
    write(
      "error",
      show(error),
      places.map((place) => Number(place[1])).find((line) => line > offset) ?? 0,
    );
  };
  const printer =
    (level: Level) =>
    (...values: unknown[]) =>
      write(level, values.map(show).join(" "));
  scope.console = {
    log: printer("log"),
    info: printer("log"),
    debug: printer("log"),
    warn: printer("error"),
    error: printer("error"),
  };

  const { Session } = kit.exports as Kit;
  let session: InstanceType<Kit["Session"]> | null = null;
  const run = (Bot: unknown) => {
    session = new Session(Bot);
  };
  const main = { exports: {} };
  const require = (name: string) => {
    if (!/^\.\/hexarena(\.js)?$/.test(name))
      throw new Error(`a bot in the page has no module ${show(name)}, only "./hexarena.js"`);
    return { ...kit.exports, run };
  };
  scope.module = main;
  scope.require = Object.assign(require, { main }); // as in Node, for the file that is run

  const handle = async (order: Order) => {
    printed = 0;
    let answer = "";
    let failed = false;
    try {
      answer = JSON.stringify(await session?.receive(order)) ?? "";
    } catch (error) {
      fail(error);
      if (order.message_type === "TURN") {
        const turn_number = order.turn_number;
        answer = JSON.stringify({ message_type: "TURN_ACK", turn_number, actions: [] });
        write("error", "This turn was answered without actions.", 0);
      } else {
        failed = true;
      }
    }
    post({ kind: "handled", answer, failed });
  };
  let last = Promise.resolve(); // a bot may be asynchronous
  listen("message", (event) => {
    const order = (event as MessageEvent<Order>).data;
    last = last.then(() => handle(order));
  });
  // The last line of the script calls this after the bot's code has run.
  scope[entry] = () => {
    Reflect.deleteProperty(scope, entry);
    post({ kind: "ready", bot: session !== null });
  };
}

/** Returns the script of a bot in its sandbox, with the kit, and the number of lines before the bot's first. */
export function wrap(code: string, kit: string): { script: string; offset: number } {
  const around = (offset: number) =>
    `(${sandbox})(${JSON.stringify(ENTRY)},${JSON.stringify(KEPT)},${offset},(module)=>{${kit}});\n`;
  const offset = around(0).split("\n").length - 1;
  return { script: `${around(offset)}${code}\n;${ENTRY}();`, offset };
}
