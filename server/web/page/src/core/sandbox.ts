// What surrounds a bot in its worker. The text of shell() stands before the bot's
// code in one script, so that it may refer to nothing outside itself.

/** What the page tells the worker. */
export type Order = { kind: "game"; game: object } | { kind: "turn"; turn: number; state: object; me: number };

/** What the worker tells the page. Lines count from the worker's first; 0 is none. */
export type Report =
  | { kind: "ready"; plays: boolean }
  | { kind: "line"; level: Level; text: string; line: number }
  | { kind: "answer"; turn: number; actions: string };

export type Level = "log" | "error";

/** A name that no bot chooses for something of its own. */
const ENTRY = "__begin_hexarena_bot";

/** What a bot keeps of a worker's globals: the language, and no way out of it. */
const KEPT = (
  "globalThis self undefined NaN Infinity Object Function Array Boolean Number BigInt String Symbol Math JSON Date RegExp " +
  "Map Set WeakMap WeakSet WeakRef Promise Proxy Reflect Intl ArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray " +
  "Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array Error AggregateError " +
  "EvalError RangeError ReferenceError SyntaxError TypeError URIError parseInt parseFloat isNaN isFinite " +
  "encodeURI encodeURIComponent decodeURI decodeURIComponent structuredClone"
).split(" ");

/** offset is how many lines stand before the bot's first. */
export function shell(entry: string, kept: string[], offset: number, helpers: () => object): void {
  type Turn = (state: object, me: number) => unknown;
  const LINES = 100; // that a bot may print in one turn
  const LENGTH = 2000; // of a line, in characters
  const scope = globalThis as unknown as Record<string, unknown>;
  const post = globalThis.postMessage.bind(globalThis) as (report: Report) => void;
  const listen = globalThis.addEventListener.bind(globalThis);

  // The page can be talked to by what follows here, the network not at all.
  for (let o: object = globalThis; o && o !== Object.prototype; o = Object.getPrototypeOf(o)) {
    for (const name of Object.getOwnPropertyNames(o)) {
      if (!kept.includes(name)) Reflect.deleteProperty(o, name);
    }
  }

  let printed = 0;
  const write = (level: Level, text: string, line = 0) => {
    printed++;
    if (printed <= LINES) post({ kind: "line", level, text: text.slice(0, LENGTH), line });
    if (printed === LINES) post({ kind: "line", level: "error", text: `${LINES} lines in one turn: the rest is left out.`, line: 0 });
  };
  const show = (value: unknown): string => {
    if (typeof value === "string" || value instanceof Error) return String(value);
    try {
      return JSON.stringify(value instanceof Map || value instanceof Set ? [...value] : value) ?? String(value);
    } catch {
      return String(value);
    }
  };
  /** An error, with the first place in the bot's own code that led to it. */
  const fail = (error: unknown) => {
    const places = [...String((error as Error)?.stack).matchAll(/blob:[^\s()]*?:(\d+):\d+/g)];
    write("error", show(error), places.map((place) => Number(place[1])).find((line) => line > offset) ?? 0);
  };
  const printer = (level: Level) => (...values: unknown[]) => write(level, values.map(show).join(" "));
  scope.console = { log: printer("log"), info: printer("log"), debug: printer("log"), warn: printer("error"), error: printer("error") };

  Object.assign(scope, helpers(), { game: {} });

  let turn: Turn | null = null;
  const answer = async (order: Order & { kind: "turn" }) => {
    printed = 0;
    let actions = "[]";
    try {
      const list = await turn?.(order.state, order.me);
      if (!Array.isArray(list)) throw new TypeError(`turn() has to return a list of actions, not ${show(list)}`);
      actions = JSON.stringify(list);
    } catch (error) {
      fail(error);
    }
    post({ kind: "answer", turn: order.turn, actions });
  };
  listen("message", (event) => {
    const order = (event as MessageEvent<Order>).data;
    if (order.kind === "game") scope.game = order.game;
    else void answer(order);
  });
  // The last line of the script calls this, once all of the bot's code has run.
  scope[entry] = (f: Turn | null) => {
    turn = f;
    Reflect.deleteProperty(scope, entry);
    post({ kind: "ready", plays: f !== null });
  };
}

/** A script that is a bot and what it needs, and how many lines stand before the bot's first. */
export function wrap(code: string, helpers: () => object): { script: string; offset: number } {
  const around = (offset: number) => `(${shell})(${JSON.stringify(ENTRY)},${JSON.stringify(KEPT)},${offset},${helpers});\n`;
  const offset = around(0).split("\n").length - 1;
  return { script: `${around(offset)}${code}\n;${ENTRY}(typeof turn==="function"?turn:null);`, offset };
}
