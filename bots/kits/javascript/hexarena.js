// SPDX-License-Identifier: Apache-2.0
//
// hexarena.js connects a bot to hexarena, or to any server of netorcai's metaprotocol 2.0.0. It needs Node 20
// or a browser, and no packages. A bot is a class, of which each match gets a new object:
//
//     const { run } = require("./hexarena.js");
//     class Bot {
//       constructor(match) { this.match = match; }
//       turn(state) { return []; } // the actions, or a promise of them
//     }
//     run(Bot);
//
// `node bot.js --help` lists the options; hexarena.d.ts documents everything and has the types of states.
//
// The file is a CommonJS module, because Node 20 takes a .js file without a package.json for one. A page loads
// it by `import "./hexarena.js"` in a module script, and then finds all of it in the global `hexarena`.
"use strict";

// ------------------------------------------------------------------- the board

/** What a step in each direction adds to q and r. */
const DIRECTIONS = { "x+": [1, 0], "y+": [1, -1], "z+": [0, -1], "x-": [-1, 0], "y-": [-1, 1], "z-": [0, 1] };

/** Returns a cell as text, for sets and maps. */
function key(cell) {
  return `${cell.q},${cell.r}`;
}

/** Returns the next cell in a direction. It may not be on the board. */
function neighbour(cell, direction) {
  const [dq, dr] = DIRECTIONS[direction];
  return { q: cell.q + dq, r: cell.r + dr };
}

/** Returns the number of steps between two cells on a board without holes. */
function distance(a, b) {
  const dq = a.q - b.q;
  const dr = a.r - b.r;
  return Math.max(Math.abs(dq), Math.abs(dr), Math.abs(dq + dr));
}

/** Returns at most length cells after a cell in a direction, up to the first whose key the board does not have. */
function ray(cell, direction, length, board) {
  const cells = [];
  for (let next = neighbour(cell, direction); cells.length < length && board.has(key(next)); next = neighbour(next, direction)) {
    cells.push(next);
  }
  return cells;
}

/** Returns the keys of the cells that a bomb covers: its own and six lines, on a board as of ray. */
function blast(bomb, range, board) {
  return new Set([key(bomb), ...Object.keys(DIRECTIONS).flatMap((direction) => ray(bomb, direction, range, board).map(key))]);
}

/** Returns the members of a set that another one does not have. */
function minus(set, other) {
  return new Set([...set].filter((member) => !other.has(member)));
}

/**
 * Returns a shortest way over free cells to a goal, or null if no goal is within limit steps: its first step,
 * the goal and the number of steps. free and goals hold keys. A goal has to be free; the start is none.
 */
function nearest(start, free, goals, limit = Infinity) {
  // Of equally short ways, which is taken depends on the start, so that bots do not drift in one direction.
  const turned = Math.abs(start.q + 2 * start.r);
  const directions = Object.keys(DIRECTIONS).map((_, i, all) => all[(i + turned) % all.length]);
  const queue = [{ cell: start, first: null, steps: 0 }];
  const seen = new Set([key(start)]);
  for (const { cell, first, steps } of queue) { // the loop appends to it
    if (first && goals.has(key(cell))) return { first, goal: cell, steps };
    if (steps >= limit) continue;
    for (const direction of directions) {
      const next = neighbour(cell, direction);
      const name = key(next);
      if (!free.has(name) || seen.has(name)) continue;
      seen.add(name);
      queue.push({ cell: next, first: first ?? direction, steps: steps + 1 });
    }
  }
  return null;
}

/** Returns the direction of the first step on a shortest way to a goal, as nearest does, or null. */
function firstStep(start, free, goals, limit = Infinity) {
  return nearest(start, free, goals, limit)?.first ?? null;
}

/** Returns the rows of length cells in which only one side has pieces, on a board of pieces by their keys. */
function rows(board, length) {
  const seen = new Set(); // their first cells and directions
  const found = [];
  for (const piece of board.values()) {
    for (const direction of ["x+", "y+", "z+"]) {
      const [dq, dr] = DIRECTIONS[direction];
      for (let back = 0; back < length; back++) {
        const start = { q: piece.q - back * dq, r: piece.r - back * dr };
        const name = `${direction} ${key(start)}`;
        if (seen.has(name)) continue;
        seen.add(name);
        const cells = Array.from({ length }, (_, i) => ({ q: start.q + i * dq, r: start.r + i * dr }));
        const empty = cells.filter((cell) => !board.has(key(cell)));
        const whole = cells.every((cell) => (board.get(key(cell))?.p ?? piece.p) === piece.p);
        if (whole) found.push({ side: piece.p, pieces: length - empty.length, empty });
      }
    }
  }
  return found;
}

/** Returns the empty cells within the given number of steps of one of board's cells; board holds cells by their keys. */
function near(board, steps) {
  const found = new Map();
  for (const { q, r } of board.values()) {
    for (let dq = -steps; dq <= steps; dq++) {
      for (let dr = Math.max(-steps, -steps - dq); dr <= Math.min(steps, steps - dq); dr++) {
        const cell = { q: q + dq, r: r + dr };
        const name = key(cell);
        if (!board.has(name)) found.set(name, cell);
      }
    }
  }
  return [...found.values()];
}

// -------------------------------------------------------------------- matches

// Taken here, so that the file also works where a page removes the globals of its bots later.
const clock = globalThis.performance;
const utf8 = new TextEncoder();

/** A match as a bot sees it; the names are those of GAME_STARTS. The session keeps it up to date. */
class Match {
  /** received is when the GAME_STARTS came; seed is used if the server sends none. */
  constructor(starts, received, seed) {
    this.playerId = starts.player_id;
    this.nbPlayers = starts.nb_players;
    this.nbSpecialPlayers = starts.nb_special_players;
    this.nbTurnsMax = starts.nb_turns_max;
    this.millisecondsBeforeFirstTurn = starts.milliseconds_before_first_turn;
    this.millisecondsBetweenTurns = starts.milliseconds_between_turns;
    this.initialGameState = starts.initial_game_state;
    this.playersInfo = starts.players_info;
    this.number = starts.match;
    this.seed = starts.seed;
    this.random = generator(starts.seed ?? seed);
    this.turnNumber = -1;
    this.deadline = deadline(received, this.millisecondsBeforeFirstTurn);
    this.debug = emptyDebug();
    this._starts = this._newest = starts;
  }

  /** Returns the milliseconds until the turn ends; Infinity at full speed. */
  timeLeft() {
    return Math.max(0, this.deadline - clock.now());
  }
}

/** Returns when a time ends. Servers send 0 milliseconds at full speed. */
function deadline(received, milliseconds) {
  return milliseconds > 0 ? received + milliseconds : Infinity;
}

function emptyDebug() {
  return { text: "", cells: [], values: {} };
}

/** Returns a function like Math.random. Equal seeds give equal numbers; without a seed, they differ each time. */
function generator(seed) {
  if (seed === undefined) return Math.random;
  // sfc32 by Chris Doty-Humphrey; its state begins with FNV-1a hashes of the seed's digits.
  let [a, b, c, counter] = [0x811c9dc5, 0x9e3779b9, 0x85ebca6b, 1];
  for (const byte of utf8.encode(String(seed))) {
    [a, b, c] = [a, b, c].map((hash) => Math.imul(hash ^ byte, 0x01000193));
  }
  const random = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 12; i++) random(); // mixes the state, as its author advises
  return random;
}

/** An expected problem, which is reported without a traceback. */
class Failure extends Error {}

/** There is no connection to the server. */
class Unreachable extends Failure {}

/** The largest debug output that servers accept, in bytes of JSON. */
const MAX_DEBUG = 4096;

/**
 * A session is a bot's part of a conversation, after the login: it makes the bots, calls them, and returns
 * their answers. It knows no connection, so that a program can carry the messages in its own way.
 */
class Session {
  /** Whether a match has ended and no other has begun. */
  finished = false;
  #Bot;
  #bot;
  #match;
  #watches;
  #seed;
  #warned = false;

  constructor(Bot, { role = "player", seed } = {}) {
    this.#Bot = Bot;
    this.#watches = role === "visualization";
    this.#seed = seed;
  }

  /**
   * Handles a message, and resolves to the answer; undefined: it has none. Errors of the bot reject it. duration is
   * how long a turn lasts, unless it is as GAME_STARTS says.
   */
  async receive(message, received = clock.now(), duration = undefined) {
    if (message.message_type === "GAME_STARTS") return this.#start(message, received);
    if (!this.#bot) return undefined; // no match has begun
    switch (message.message_type) {
      case "TURN":
        return this.#turn(message, received, duration);
      case "GAME_ENDS":
        this.finished = true;
        return void (await this.#bot.end?.(message.game_state, message.winner_player_id));
    }
  }

  #start(starts, received) {
    const { playerId, number, seed } = this.#match ?? {};
    const same = playerId === starts.player_id && number === starts.match && seed === starts.seed;
    if (same && !this.finished) return; // the client has reconnected: the bot plays on
    this.finished = false;
    this.#match = new Match(starts, received, this.#seed);
    this.#bot = new this.#Bot(this.#match);
  }

  async #turn(turn, received, duration) {
    const { turn_number, game_state, players_info } = turn;
    const match = this.#match;
    match._newest = turn;
    match.turnNumber = turn_number;
    match.playersInfo = players_info;
    match.deadline = deadline(received, duration ?? match.millisecondsBetweenTurns);
    const returned = await this.#bot.turn(game_state);
    const actions = this.#watches ? [] : returned;
    if (!Array.isArray(actions)) throw new TypeError(`turn() must return an array of actions, not ${actions}`);
    const debug = this.#shorten(match.debug);
    match.debug = emptyDebug();
    return { message_type: "TURN_ACK", turn_number, actions, debug };
  }

  /** Returns what is to be sent of a debug output: its parts that are not empty, without the largest if they are too long. */
  #shorten(debug) {
    const values = Object.fromEntries(Object.entries(debug?.values ?? {}).filter(([, value]) => Number.isFinite(value))); // as JSON has them
    const parts = Object.entries({ ...debug, values })
      .map(([name, part]) => ({ name, part, size: utf8.encode(JSON.stringify(part)).length }))
      .filter(({ size }) => size > 2) // "", [] and {} are empty
      .sort((a, b) => a.size - b.size);
    const sent = () => (parts.length > 0 ? Object.fromEntries(parts.map(({ name, part }) => [name, part])) : undefined);
    while (parts.length > 0 && utf8.encode(JSON.stringify(sent())).length > MAX_DEBUG) {
      const { name, size } = parts.pop();
      if (!this.#warned) console.error(`debug.${name} has ${size} bytes and is left out: all of debug may have ${MAX_DEBUG}. This is said once.`);
      this.#warned = true;
    }
    return sent();
  }
}

// ---------------------------------------------------------------- connections

/** The messages of a connection that are not handled yet, in order. */
class Inbox {
  #messages = [];
  #over = false;
  #failure;
  #wake = () => {};

  put(message) {
    this.#messages.push(message);
    this.#wake();
  }

  /** Says that no more messages come, because of a failure if there is one. */
  end(failure) {
    if (!this.#over) this.#failure = failure;
    this.#over = true;
    this.#wake();
  }

  /** Resolves to the next message, or to undefined at the end; a failure rejects it. */
  async next() {
    while (this.#messages.length === 0 && !this.#over) await new Promise((resolve) => { this.#wake = resolve; });
    if (this.#messages.length === 0 && this.#failure) throw this.#failure;
    return this.#messages.shift();
  }
}

/** The largest message that servers send, in bytes. */
const MAX_MESSAGE = 2 ** 24 - 1;

/** How long a server keeps the seat of a player whose connection broke, in milliseconds. */
const GRACE = 30_000;

/** The same for a bot that stays and has a token, by which a server that is restarted knows it. */
const PATIENCE = 12 * 3_600_000;

/** The first and the longest pause before another attempt to reconnect, in milliseconds. */
const MIN_PAUSE = 100;
const MAX_PAUSE = 15_000;

/**
 * Plays until the server ends the conversation. dial resolves to a connection, or rejects with Unreachable. With
 * redial, a connection that breaks is opened again.
 */
async function play(session, login, dial, redial) {
  const patient = login.stay && login.token && redial;
  const grace = patient ? PATIENCE : GRACE;
  let accepted = false;
  let lost = Infinity; // when the connection broke, until the next LOGIN_ACK
  for (;;) {
    let problem = "the server closed the connection";
    try {
      const connection = await dial();
      try {
        connection.send(login);
        for (let message = await connection.next(); message; message = await connection.next()) {
          if (message.message_type === "KICK") {
            const reason = String(message.kick_reason);
            if (reason !== "netorcai abort" || !patient || !accepted) return kicked(session, reason);
            throw new Unreachable("the server was stopped");
          }
          if (message.message_type === "LOGIN_ACK") {
            accepted = true;
            lost = Infinity;
          }
          const answer = await session.receive(message);
          if (answer) connection.send(answer);
        }
      } finally {
        connection.close();
      }
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      problem = error.message;
    }
    if (session.finished && !login.stay) return;
    if (!accepted || !redial) throw new Failure(problem);
    if (lost === Infinity) {
      lost = clock.now();
      console.error(`${problem}; connecting again`);
    }
    const away = clock.now() - lost;
    if (away >= grace) {
      throw new Failure(`lost the server, and ${grace / 1000} s of reconnecting have failed: ${problem}`);
    }
    const pause = Math.min(MAX_PAUSE, Math.max(MIN_PAUSE, away / 8)); // grows with the absence
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Returns if the server ended the connection after a match, as is usual. */
function kicked(session, reason) {
  if (session.finished && reason !== "Another connection took the seat") return;
  const help = reason.includes("token is needed")
    ? "\nAsk the server's operator for your token, and add --token TOKEN (or set BOT_TOKEN) when you start the bot."
    : "";
  throw new Failure(`kicked: ${reason}${help}`);
}

/** Returns the LOGIN of a bot; fields that are undefined are not sent. */
function loginOf({ name, role, token, stay, version, debugged }) {
  const nickname = [...name.trim().replace(/\s+/gu, "_")].slice(0, 10).join("");
  const optional = { token: token || undefined, stay: stay || undefined, version, debugger: debugged || undefined };
  return { message_type: "LOGIN", nickname, role, metaprotocol_version: "2.0.0", language: "JavaScript", ...optional };
}

/** Returns a message, whose text may be a Buffer. */
function parse(text) {
  let message;
  try {
    message = JSON.parse(text) ?? {};
  } catch (error) {
    throw new Failure(`the server sent a message that is not JSON: ${error.message}`);
  }
  if (typeof message !== "object" || Array.isArray(message)) throw new Failure("the server sent a message that is not a JSON object");
  return message;
}

// ----------------------------------------------------------------------- Node

/** Returns the messages that a stream brings. A connection that breaks ends as one that is closed. */
function messagesOf(stream, splitter) {
  const inbox = new Inbox();
  const split = splitter((content) => inbox.put(parse(content)));
  stream.on("data", (chunk) => {
    try {
      split(chunk);
    } catch (error) {
      inbox.end(error);
      stream.destroy();
    }
  });
  for (const event of ["end", "error", "close"]) stream.on(event, () => inbox.end());
  return inbox;
}

function checkSize(size, max = MAX_MESSAGE) {
  if (size > max) throw new Failure(`the server sent a message of ${size} bytes; the largest has ${max}`);
}

/** Returns a function that takes the chunks of a stream and calls put with the contents of frames: each follows its length in four bytes, the least significant first. */
function frames(put) {
  let pieces = [];
  let size = 0; // of all pieces
  let wanted = 4;
  let header = true;
  return (chunk) => {
    pieces.push(chunk);
    size += chunk.length;
    while (size >= wanted) {
      const bytes = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces, size);
      const part = bytes.subarray(0, wanted);
      pieces = [bytes.subarray(wanted)];
      size -= wanted;
      wanted = header ? part.readUInt32LE() : 4;
      if (header) checkSize(wanted);
      else put(part);
      header = !header;
    }
  };
}

/** Does the same for lines, which end with a line feed only: readline would also end them at U+2028, which JSON may contain. */
function lines(put) {
  let pieces = [];
  let size = 0;
  return (chunk) => {
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10)) {
      put(Buffer.concat([...pieces, chunk.subarray(0, end)]));
      pieces = [];
      size = 0;
      chunk = chunk.subarray(end + 1);
    }
    pieces.push(chunk);
    size += chunk.length;
    checkSize(size);
  };
}

/** Opens a connection over TCP or TLS. */
function dialSocket({ host, port, tls }) {
  const net = require("node:net");
  const socket = tls
    ? require("node:tls").connect({ host, port, servername: net.isIP(host) ? "" : host })
    : net.connect({ host, port });
  socket.setNoDelay(true);
  socket.setKeepAlive(true, GRACE); // so that a server that is gone is noticed between matches
  socket.setTimeout(GRACE, () => socket.destroy(new Error("no answer")));
  const send = (message) => {
    const content = `${JSON.stringify(message)}\n`;
    const length = Buffer.byteLength(content);
    const frame = Buffer.allocUnsafe(4 + length);
    frame.writeUInt32LE(length);
    frame.write(content, 4);
    socket.write(frame);
  };
  return new Promise((resolve, reject) => {
    socket.once(tls ? "secureConnect" : "connect", () => {
      socket.setTimeout(0);
      const inbox = messagesOf(socket, frames);
      resolve({ send, next: () => inbox.next(), close: () => socket.destroy() });
    });
    socket.on("error", (error) => { // once there is a connection, the end of its messages tells
      reject(new Unreachable(`no server at ${host}:${port}: ${error.code ?? error.message}; is hexarena running?`));
    });
  });
}

/** Returns a connection over standard input and output. What the bot prints goes to standard error from then on. */
function openStdio() {
  const { stdin, stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  stdout.on("error", () => {}); // the end of the input tells
  const inbox = messagesOf(stdin, lines);
  return { send: (message) => write(`${JSON.stringify(message)}\n`), next: () => inbox.next(), close: () => stdin.destroy() };
}

const USAGE = `usage: node BOT.js [HOST [PORT]] [options]

  HOST, PORT       the server; 127.0.0.1 4242 unless BOT_HOST and BOT_PORT say otherwise
  --name NAME      the bot's name, at most 10 characters (BOT_NICKNAME)
  --token TOKEN    identifies you to servers that require it (BOT_TOKEN)
  --role ROLE      player, "special player" or visualization
  --stay           play match after match, until there are no more; a bot that hexarena starts does (BOT_SEED)
  --stdio          use standard input and output (BOT_STDIO=1)
  --tls            encrypt the connection
  --listen PORT    wait at [HOST:]PORT for servers of the HTTTX Bot API, with a bot of hexagonal tic-tac-toe
  --dial-in        play a game over the HTTTX Bot API at the server
  --help           print this
`;

/** Returns the settings: those of the command line, else of the environment, else those given to run. */
function settingsOfProcess(options) {
  const { env } = process;
  const string = { type: "string" };
  const flag = { type: "boolean" };
  const { values, positionals } = require("node:util").parseArgs({
    allowPositionals: true,
    options: { name: string, token: string, role: string, stay: flag, stdio: flag, tls: flag, listen: string, "dial-in": flag, help: flag },
  });
  if (positionals.length > 2) throw new Failure(`unexpected argument ${positionals[2]}\n${USAGE}`);
  const file = require.main?.filename ?? process.argv[1] ?? "";
  const settings = {
    role: "player",
    host: "127.0.0.1",
    port: 4242,
    ...options,
    ...(env.BOT_HOST && { host: env.BOT_HOST }),
    ...(env.BOT_PORT && { port: env.BOT_PORT }),
    ...(env.BOT_NICKNAME && { name: env.BOT_NICKNAME }),
    ...(env.BOT_TOKEN && { token: env.BOT_TOKEN }),
    ...(env.BOT_SEED && { seed: env.BOT_SEED, stay: true }),
    ...(env.BOT_STDIO === "1" && { stdio: true }),
    ...values,
    dialIn: values["dial-in"],
    ...(positionals.length > 0 && { host: positionals[0] }),
    ...(positionals.length > 1 && { port: positionals[1] }),
    debugged: require("node:inspector").url() !== undefined,
  };
  settings.port = portOf(settings.port);
  settings.name ||= nameOf(file);
  settings.version ??= digestOf(file);
  return settings;
}

function portOf(text) {
  const port = Number(text);
  if (text === "" || !Number.isInteger(port) || port < 0 || port > 65535) throw new Failure(`port ${text}: a port is a number up to 65535`);
  return port;
}

/** Returns the name of the bot's file, if it was changed, or else of the user. */
function nameOf(file) {
  const name = require("node:path").parse(file).name;
  if (name !== "" && name !== "bot") return name;
  try {
    return require("node:os").userInfo().username;
  } catch {
    return "bot"; // a user without a name
  }
}

function digestOf(file) {
  try {
    return require("node:crypto").createHash("sha256").update(require("node:fs").readFileSync(file)).digest("hex").slice(0, 16);
  } catch {
    return undefined; // the code is not in a file
  }
}

/** Plays as the HTTTX Bot API says. */
async function playHtttx(Bot, settings) {
  let htttx;
  try {
    htttx = require("./hexarena_htttx.js");
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
    throw new Failure("--listen and --dial-in need hexarena_htttx.js beside hexarena.js: hexarena new --game hextictactoe writes both");
  }
  await htttx.play(Bot, settings, { Failure, parse, portOf, checkSize });
}

async function runInNode(Bot, options) {
  try {
    const settings = settingsOfProcess(options);
    if (settings.help) return void process.stdout.write(USAGE);
    if (settings.listen !== undefined || settings.dialIn) return await playHtttx(Bot, settings);
    const { stdio } = settings;
    await play(new Session(Bot, settings), loginOf(settings), stdio ? openStdio : () => dialSocket(settings), !stdio);
  } catch (error) {
    if (!(error instanceof Failure) && !error.code?.startsWith?.("ERR_PARSE_ARGS")) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

// -------------------------------------------------------------- looking ahead

/**
 * Starts `hexarena env`. ask passes the answer to a request to take, and returns what take returns: a promise of it in
 * Node. In hexarena's own engine it is no promise, since the end of a turn drops those that a bot waits for.
 */
function openEnv(game) {
  const answer = globalThis.hexarenaEnv?.(game);
  if (answer) return { ask: (request, take) => take(JSON.parse(answer(request))), close() {} };
  if (!globalThis.process?.versions?.node) throw new Error("a simulator needs hexarena or Node: hexarena play runs the bot without a page");
  if (!process.env.HEXARENA) {
    throw new Error("a simulator needs hexarena, and HEXARENA does not name it. hexarena sets it for the bots that it starts, "
      + "in containers on Linux only; set it yourself to the path of the program");
  }
  const stdio = ["pipe", "pipe", "inherit"];
  const child = require("node:child_process").spawn(process.env.HEXARENA, ["env", "--json", "--game", game], { stdio });
  const answers = messagesOf(child.stdout, lines);
  child.on("error", (error) => answers.end(error));
  child.stdin.on("error", () => {}); // the end of the answers tells
  for (const handle of [child, child.stdin, child.stdout]) handle.unref(); // it keeps no bot running
  let last = Promise.resolve(); // the newest answer
  const ask = (request, take) => { // does not wait for the answers before
    child.stdin.write(`${request}\n`);
    last = last.catch(() => {}).then(async () => {
      child.stdout.ref();
      const answer = await answers.next();
      child.stdout.unref();
      if (!answer) throw new Error("hexarena env has ended");
      return take(answer);
    });
    return last;
  };
  return { ask, close: () => child.stdin.end() };
}

/**
 * A copy of the match in which the bot decides what all players do. The methods return promises. After each the
 * fields are those of the position. A mistake rejects the promise and changes nothing. A rollout is faster if only its
 * last step is awaited: the others are on their way at once.
 */
class Simulator {
  turn = 0; // the number of the TURN that the players are to answer
  over = false;
  winner = -1; // the id of the player who leads
  score = []; // by player id
  #match;
  #env;
  #ready; // the answer to the first request

  /** Starts with the match before its first turn. */
  constructor(match, game = "hexabomb") {
    this.#match = match;
    this.#env = openEnv(game);
    this.#ready = this.#ask({ load: match._starts });
  }

  /** Goes to the newest turn of the match. */
  async load() {
    await this.#ready;
    await this.#ask({ load: this.#match._newest });
  }

  /** Plays a turn with the actions of each player, by id; null stands for no answer. */
  async step(actions) { await this.#ask({ step: actions }); }

  /** Keeps the position under a name. */
  async save(name) { await this.#ask({ save: name }); }

  /** Returns to a position, as often as needed. */
  async restore(name) { await this.#ask({ restore: name }); }

  /** Resolves to the state, as turn() gets it. */
  async state() { return (await this.#ask({ show: "state" })).state; }

  /** Ends it. */
  close() { this.#env.close(); }

  #ask(request) {
    return this.#env.ask(JSON.stringify({ show: "none", ...request }), (answer) => {
      if (answer.error !== undefined) throw new Error(answer.error);
      ({ turn: this.turn, over: this.over, winner: this.winner, score: this.score } = answer);
      return answer;
    });
  }
}

/**
 * Returns a match of hexabomb for a test, and the state of its turn 0, which is drawn. A line of the drawing is a row
 * of cells with the same r, from 0, and a character in it a q: "." is neutral, a digit has the colour and a character
 * of the player with that id, a letter from "a" has the colour of player 0 and so on, and a blank is no cell.
 */
function testMatch(drawing, { bombs = [], playerId = 0, seed = 1 } = {}) {
  const rows = drawing.split("\n");
  const columns = [...Array(Math.max(...rows.map((row) => row.length))).keys()];
  const drawn = columns.flatMap((q) => rows.map((row, r) => ({ q, r, char: row[q] ?? " " }))).filter(({ char }) => char !== " ");
  const cells = drawn.map(({ q, r, char }) => ({ q, r, color: char === "." ? 0 : 1 + ("0123456789abcdefghij".indexOf(char) % 10) }));
  const characters = drawn.filter(({ char }) => char >= "0" && char <= "9").sort((a, b) => a.char - b.char)
    .map(({ q, r, char }, id) => ({ id, color: 1 + Number(char), q, r, alive: true, revive_delay: -1, bomb_count: 1 }));
  const players = Math.max(2, playerId + 1, ...cells.map(({ color }) => color));
  const ids = [...Array(players).keys()];
  const counts = Object.fromEntries(ids.map((id) => [id, cells.filter(({ color }) => color === id + 1).length]));
  const state = { cells, characters, bombs, explosions: {}, cell_count: counts, score: counts };
  const match = new Match({
    message_type: "GAME_STARTS", player_id: playerId, nb_players: players, nb_special_players: 0, nb_turns_max: 100,
    milliseconds_before_first_turn: 0, milliseconds_between_turns: 0, initial_game_state: state, players_info: [], seed,
  }, clock.now());
  match.turnNumber = 0;
  match._newest = { message_type: "TURN", turn_number: 0, game_state: state };
  return { match, state };
}

// -------------------------------------------------------------------- browsers

/** Opens a connection over a WebSocket. */
function dialWebSocket(address) {
  const socket = new WebSocket(address);
  const inbox = new Inbox();
  return new Promise((resolve, reject) => {
    socket.onopen = () => {
      resolve({ send: (message) => socket.send(JSON.stringify(message)), next: () => inbox.next(), close: () => socket.close() });
    };
    socket.onmessage = (event) => {
      try {
        inbox.put(parse(event.data));
      } catch (error) {
        inbox.end(error);
      }
    };
    socket.onclose = () => {
      inbox.end();
      reject(new Unreachable(`no server at ${new URL(address).host}; is hexarena running?`));
    };
  });
}

async function runInBrowser(Bot, options) {
  const { protocol, hostname, port } = globalThis.location;
  const settings = { role: "player", name: "bot", host: hostname || "127.0.0.1", port: port || 4242, tls: protocol === "https:", ...options };
  const address = `${settings.tls ? "wss" : "ws"}://${settings.host}:${settings.port}/netorcai`;
  await play(new Session(Bot, settings), loginOf(settings), () => dialWebSocket(address), true);
}

/**
 * Plays with a bot until the server has no more matches. In Node, the command line and the environment have the
 * settings, a problem is printed, and the exit code is then 1; in a browser, the options have them, and a
 * problem rejects the promise.
 */
function run(Bot, options = {}) {
  return globalThis.process?.versions?.node ? runInNode(Bot, options) : runInBrowser(Bot, options);
}

if (typeof module === "object") module.exports = { run, DIRECTIONS, key, neighbour, distance, ray, blast, minus, nearest, firstStep, rows, near, Session, Simulator, testMatch };
else globalThis.hexarena = { run, DIRECTIONS, key, neighbour, distance, ray, blast, minus, nearest, firstStep, rows, near, Session, Simulator, testMatch };
