// The globals that a script has beside those of the language, and the bot's side of a conversation. The
// host passes its functions; what they need of the language is taken before a script can replace it.
"use strict";
((host) => {
  const { parse, stringify } = JSON;
  const define = (object, properties) => {
    for (const [name, value] of Object.entries(properties)) {
      if (object[name] === undefined) Object.defineProperty(object, name, { value, writable: true, configurable: true });
    }
  };

  // ------------------------------------------------------------------ console

  const show = (value) => {
    if (typeof value === "string") return value;
    if (value instanceof Error) return value.stack ?? String(value);
    try {
      const plain = value instanceof Map || value instanceof Set ? [...value] : value;
      return stringify(plain, (_, part) => (typeof part === "bigint" ? `${part}n` : part)) ?? String(value);
    } catch {
      return String(value);
    }
  };
  const print = (...values) => host.print(values.map(show).join(" "));
  define(globalThis, { console: { log: print, info: print, debug: print, warn: print, error: print, trace: print } });

  // ------------------------------------------------------------------- timers

  const timer = (again) => (call, delay, ...values) => {
    if (typeof call !== "function") throw new TypeError("a timer needs a function");
    return host.start(() => void call(...values), Number(delay) || 0, again);
  };
  const stop = (id) => host.stop(Number(id) || 0);
  const once = timer(false);
  define(globalThis, {
    setTimeout: once,
    setInterval: timer(true),
    setImmediate: (call, ...values) => once(call, 0, ...values),
    clearTimeout: stop,
    clearInterval: stop,
    clearImmediate: stop,
    queueMicrotask: (call) => void Promise.resolve().then(call),
    performance: { now: host.now, timeOrigin: Date.now() },
  });

  // --------------------------------------------------------------------- text

  class TextEncoder {
    get encoding() { return "utf-8"; }
    encode(text = "") { return new Uint8Array(host.encode(String(text))); }
  }
  class TextDecoder {
    get encoding() { return "utf-8"; }
    decode(bytes = new ArrayBuffer(0)) {
      if (bytes instanceof ArrayBuffer) return host.decode(bytes);
      return host.decode(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    }
  }
  define(globalThis, { TextEncoder, TextDecoder });
  define(String.prototype, {
    isWellFormed() { return this.toWellFormed() === String(this); },
    toWellFormed() { return host.decode(host.encode(String(this))); },
  });

  // ---------------------------------------------------------------- simulators

  // The kit's class Simulator uses it: of a game, it returns the function that answers lines as hexarena env does.
  define(globalThis, { hexarenaEnv: (game) => host.simulate(String(game)) });

  // ----------------------------- what the language has had since ECMAScript 2022

  const grouped = (items, of, put) => {
    let i = 0;
    for (const item of items) put(of(item, i++), item);
  };
  define(Object, {
    groupBy(items, of) {
      const groups = Object.create(null);
      grouped(items, of, (key, item) => (groups[key] ??= []).push(item));
      return groups;
    },
  });
  define(Map, {
    groupBy(items, of) {
      const groups = new Map();
      grouped(items, of, (key, item) => (groups.has(key) ? groups.get(key).push(item) : groups.set(key, [item])));
      return groups;
    },
  });
  define(Promise, {
    withResolvers() {
      const made = {};
      made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
      return made;
    },
  });
  define(Error, { captureStackTrace() {} });
  const keys = (other) => [...(other instanceof Set ? other : other.keys())];
  define(Set.prototype, {
    union(other) { return new Set([...this, ...keys(other)]); },
    intersection(other) { return new Set([...this].filter((item) => other.has(item))); },
    difference(other) { return new Set([...this].filter((item) => !other.has(item))); },
    symmetricDifference(other) { return new Set([...this.difference(other), ...keys(other).filter((item) => !this.has(item))]); },
    isSubsetOf(other) { return [...this].every((item) => other.has(item)); },
    isSupersetOf(other) { return keys(other).every((item) => this.has(item)); },
    isDisjointFrom(other) { return ![...this].some((item) => other.has(item)); },
  });
  const generators = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())); // the prototype of iterators
  define(generators, {
    *map(of) { let i = 0; for (const item of this) yield of(item, i++); },
    *filter(keep) { let i = 0; for (const item of this) if (keep(item, i++)) yield item; },
    *take(count) { if (count > 0) for (const item of this) { yield item; if (--count <= 0) return; } },
    *drop(count) { for (const item of this) if (count-- <= 0) yield item; },
    *flatMap(of) { let i = 0; for (const item of this) yield* of(item, i++); },
    reduce(of, ...start) { return [...this].reduce(of, ...start); },
    toArray() { return [...this]; },
    forEach(call) { let i = 0; for (const item of this) call(item, i++); },
    some(is) { let i = 0; for (const item of this) if (is(item, i++)) return true; return false; },
    every(is) { let i = 0; for (const item of this) if (!is(item, i++)) return false; return true; },
    find(is) { let i = 0; for (const item of this) if (is(item, i++)) return item; },
  });

  const cloned = (value, seen) => {
    if (typeof value === "function" || typeof value === "symbol") throw new Error(`${String(value)} could not be cloned.`);
    if (typeof value !== "object" || value === null) return value;
    if (seen.has(value)) return seen.get(value);
    const keep = (copy) => { seen.set(value, copy); return copy; };
    if (value instanceof Date) return keep(new Date(value));
    if (value instanceof RegExp) return keep(new RegExp(value));
    if (value instanceof ArrayBuffer) return keep(value.slice(0));
    if (ArrayBuffer.isView(value)) return keep(new value.constructor(value));
    if (value instanceof Map) {
      const copy = keep(new Map());
      for (const [name, item] of value) copy.set(cloned(name, seen), cloned(item, seen));
      return copy;
    }
    if (value instanceof Set) {
      const copy = keep(new Set());
      for (const item of value) copy.add(cloned(item, seen));
      return copy;
    }
    const copy = keep(Array.isArray(value) ? new Array(value.length) : value instanceof Error ? new value.constructor(value.message) : {});
    for (const name of Object.keys(value)) copy[name] = cloned(value[name], seen);
    return copy;
  };
  define(globalThis, { structuredClone: (value) => cloned(value, new Map()) });

  // ------------------------------------------------------------- conversation

  let session;
  return {
    /** Takes the kit's class of a session and the script's of a bot. */
    begin: (Session, Bot, role, seed) => { session = new Session(Bot, { role, seed: seed || undefined }); },

    /** Hands the session a message. It answers, or fails, now or later. */
    deliver: (serial, text) => {
      session.receive(parse(text)).then(
        (answer) => host.answer(serial, answer === undefined ? "" : stringify(answer)),
        (error) => host.fail(serial, error),
      );
    },

    /** Returns whether a match has ended and no other has begun. */
    finished: () => session.finished,
  };
});
