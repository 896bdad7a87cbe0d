// SPDX-License-Identifier: Apache-2.0
//
// hexarena_htttx.js lets a bot of hexagonal tic-tac-toe play for servers of the HTTTX Bot API, in Node 20 without
// packages. hexarena.js uses it for --listen, where the bot waits for servers, and for --dial-in. The servers tell
// the position only, so that the rest of a state is that of a match with the usual rules and without a clock.
"use strict";

const { createHash, randomBytes } = require("node:crypto");
const { Session, key } = require("./hexarena.js");

/** What servers may do with the bot. */
const SOCKET = { move_time_limit: true, free_setup: true, resettable_state: true, move_skips: true, request_id: true };
const CAPABILITIES = {
  basic_websocket: { versions: { "v1-alpha": SOCKET } },
  stateless: { versions: { "v1-alpha": { move_time_limit: true, request_id: true } } },
};

/** The sides, by player id. */
const SIDES = ["x", "o"];

/** The largest message, in bytes, as servers have it. */
const MAX_PACKET = 2 ** 20;

/** Functions of hexarena.js that it does not export. */
let kit;

/** Plays as the settings say: one game at a server, or all that servers ask for until the process is ended. */
async function play(Bot, settings, functions) {
  kit = functions;
  await (settings.dialIn ? dialIn(Bot, settings) : listen(Bot, settings));
}

/** A game with one bot. It begins with the first request. */
class Game {
  #session;
  #turns = 0;

  constructor(Bot, settings) {
    this.#session = new Session(Bot, settings);
  }

  /** Resolves to a side's move. cells is the list of the pieces; seconds limits the time unless it is undefined. */
  async move(cells, side, seconds) {
    const state = stateOf(cells, side);
    if (this.#turns === 0) {
      await this.#session.receive({
        message_type: "GAME_STARTS", player_id: SIDES.indexOf(side), nb_players: 2, nb_special_players: 0, nb_turns_max: 0,
        milliseconds_before_first_turn: 0, milliseconds_between_turns: 0, initial_game_state: state, players_info: [],
      });
    }
    const turn = { message_type: "TURN", turn_number: this.#turns++, game_state: state, players_info: [] };
    const { actions } = await this.#session.receive(turn, undefined, 1000 * (seconds ?? 0));
    if (actions.length !== 1) throw new TypeError(`turn() must return one move when its side is to move, not ${actions.length}`);
    return actions[0];
  }

  /** Tells the bot the last position, and the winner: x, o or null. */
  async end(cells, winner) {
    if (this.#turns === 0) return;
    const winner_player_id = SIDES.indexOf(winner);
    await this.#session.receive({ message_type: "GAME_ENDS", game_state: stateOf(cells, "x"), winner_player_id });
  }
}

function stateOf(cells, side) {
  return {
    board: { cells }, to_move: side, previous: [], move: Math.floor(cells.length / 2), clocks: null, status: "in_progress", reason: "",
    row: [], view_distance: 8, win_distance: 6, turn_limit: 0, clock: { type: "none", base_ms: 0, increment_ms: 0 },
  };
}

/** Returns the pieces of a board by their keys. */
function piecesOf(board) {
  const cells = board?.cells;
  const valid = Array.isArray(cells) && cells.every((cell) => Number.isInteger(cell?.q) && Number.isInteger(cell.r) && SIDES.includes(cell.p));
  if (!valid) throw new kit.Failure("the server sent a board without valid cells");
  return new Map(cells.map((cell) => [key(cell), cell]));
}

/** Returns the pieces of moves by their keys. */
function moved(moves) {
  if (!Array.isArray(moves)) throw new kit.Failure("the server sent no list of previous moves");
  return piecesOf({ cells: moves.flatMap((move) => move?.pieces?.map?.((piece) => ({ ...piece, p: move.side }))) });
}

function checkSide(side) {
  if (!SIDES.includes(side)) throw new kit.Failure(`the server asks for a move of ${side}, which is neither x nor o`);
  return side;
}

// ------------------------------------------------------------------ listening

/** Plays all games that servers ask for, until the process is ended. settings.listen is [HOST:]PORT. */
async function listen(Bot, settings) {
  const at = settings.listen.lastIndexOf(":");
  const host = at < 0 ? "127.0.0.1" : settings.listen.slice(0, at);
  const server = require("node:http").createServer(async (request, response) => {
    const { status, content } = await reply(Bot, settings, request);
    const close = status === 200 ? {} : { Connection: "close" };
    response.writeHead(status, { "Content-Type": "application/json", ...close }).end(JSON.stringify(content));
  });
  server.on("upgrade", async (request, socket) => {
    const accept = createHash("sha1").update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
    await failuresPrinted(() => converse(new WebSocketEnd(socket, false), new Game(Bot, settings)));
    socket.destroy();
  });
  await new Promise((resolve, reject) => {
    server.once("error", (error) => reject(new kit.Failure(`cannot listen at ${settings.listen}: ${error.code}`)));
    server.listen(kit.portOf(settings.listen.slice(at + 1)), host, resolve);
  });
  console.log(`waiting on port ${server.address().port}`);
}

async function failuresPrinted(action) {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof kit.Failure)) throw error;
    console.error(error.message);
  }
}

/** Returns the answer to a request. Each request for a move is a separate game. */
async function reply(Bot, settings, request) {
  if (request.method !== "POST") {
    const found = request.url === "/capabilities.json";
    return found ? { status: 200, content: { meta: { name: settings.name }, ...CAPABILITIES } } : { status: 404, content: {} };
  }
  try {
    const { board, time_limit, request_id } = kit.parse(await bodyOf(request));
    const cells = [...piecesOf(board).values()];
    const move = await new Game(Bot, settings).move(cells, checkSide(board.to_move), time_limit);
    return { status: 200, content: { move, request_id } };
  } catch (error) {
    if (!(error instanceof kit.Failure)) throw error;
    return { status: 400, content: { error: error.message } };
  }
}

/** Yields what a stream brings. A connection that breaks ends as one that is closed. */
async function* unbroken(stream) {
  try {
    yield* stream;
  } catch {
    // The end of the conversation says enough.
  }
}

async function bodyOf(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of unbroken(request)) {
    chunks.push(chunk);
    size += chunk.length;
    kit.checkSize(size, MAX_PACKET);
  }
  return Buffer.concat(chunks);
}

// ----------------------------------------------------------------- dialling in

/** Takes a seat of a server that cannot dial the bot, and plays one game. */
async function dialIn(Bot, settings) {
  const { host, port, tls, token, name } = settings;
  const refused = (why) => new kit.Failure(`cannot dial in at ${host}:${port}: ${why}; is hexarena running, and not without a page (--http '')?`);
  const headers = {
    Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": randomBytes(16).toString("base64"),
  };
  const path = `/htttx/session${token ? `?token=${encodeURIComponent(token)}` : ""}`;
  const request = require(tls ? "node:https" : "node:http").get({ host, port, path, headers });
  const socket = await new Promise((resolve, reject) => {
    request.once("upgrade", (_response, opened, head) => {
      opened.unshift(head); // packets that came with the response
      resolve(opened);
    });
    request.once("response", ({ statusCode }) => {
      reject(refused(statusCode));
      request.destroy();
    });
    request.once("error", (error) => reject(refused(error.code ?? error.message)));
  });
  const end = new WebSocketEnd(socket, true);
  end.send(TEXT, JSON.stringify({ meta: { name }, ...CAPABILITIES }));
  const whole = await converse(end, new Game(Bot, settings));
  socket.destroy();
  if (!whole) throw new kit.Failure("the server closed the connection");
}

// ------------------------------------------------------------------ WebSockets

/** How long after an answer a packet may have been sent before it, in milliseconds. */
const STALE = 1000;

/** Plays a game, and resolves to whether it was played to its end. */
async function converse(socket, game) {
  let board = new Map();
  let answered = performance.now();
  for await (const text of socket.texts()) {
    const packet = kit.parse(text);
    if (packet.type === "setup") {
      board = piecesOf(packet.board);
    } else if (packet.type === "move_request") {
      board = new Map([...board, ...moved(packet.previous)]);
      if (packet.board) board = piecesOf(packet.board); // some servers leave our own moves out of previous
      const move = await game.move([...board.values()], checkSide(packet.side), packet.move_time_limit);
      socket.send(TEXT, JSON.stringify({ type: "move_response", move, request_id: packet.request_id }));
      answered = performance.now();
    } else if (packet.type === "end") {
      await game.end([...(packet.board ? piecesOf(packet.board) : board).values()], packet.winner);
      return true;
    } else if (packet.type === "nope") {
      throw new kit.Failure(`the server says: ${packet.reason}`);
    } else if (packet.type === "heartbeat" && packet.waiting === true && performance.now() > answered + STALE) {
      throw new kit.Failure("the server waits for an answer, but has asked for none");
    }
  }
  return false;
}

/** Opcodes of frames. */
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

/** An end of a WebSocket after its handshake. */
class WebSocketEnd {
  #socket;
  #client;

  constructor(socket, client) {
    this.#socket = socket;
    this.#client = client;
    socket.on("error", () => {}); // the end of its messages tells
  }

  /** Sends a frame of less than 64 KiB, which moves have. */
  send(opcode, content) {
    const payload = Buffer.from(content);
    const { length } = payload;
    const masked = this.#client ? 128 : 0;
    const head = length < 126 ? [masked | length] : [masked | 126, length >> 8, length & 255];
    const mask = this.#client ? randomBytes(4) : Buffer.alloc(0);
    this.#socket.write(Buffer.concat([Buffer.of(128 | opcode, ...head), mask, unmasked(payload, mask)]));
  }

  /** Yields the text messages, and answers pings. */
  async *texts() {
    let bytes = Buffer.alloc(0);
    let message = Buffer.alloc(0); // which may come in several frames
    for await (const chunk of unbroken(this.#socket)) {
      bytes = Buffer.concat([bytes, chunk]);
      for (let frame = frameIn(bytes); frame; frame = frameIn(bytes)) {
        bytes = bytes.subarray(frame.size);
        if (frame.opcode === CLOSE) return;
        if (frame.opcode === PING) this.send(PONG, frame.payload);
        if (frame.opcode > TEXT + 1) continue;
        message = Buffer.concat([message, frame.payload]);
        kit.checkSize(message.length, MAX_PACKET);
        if (!frame.last) continue;
        yield message.toString();
        message = Buffer.alloc(0);
      }
    }
  }
}

/** Returns the first frame, or null if some of it is not there yet. */
function frameIn(bytes) {
  if (bytes.length < 2) return null;
  const short = bytes[1] & 127;
  const more = short === 126 ? 2 : short === 127 ? 8 : 0; // bytes of a length that is not short
  const maskSize = bytes[1] > 127 ? 4 : 0;
  const start = 2 + more + maskSize; // of the payload
  if (bytes.length < start) return null;
  const length = more === 0 ? short : more === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  kit.checkSize(length, MAX_PACKET);
  const size = start + length;
  if (bytes.length < size) return null;
  const payload = unmasked(bytes.subarray(start, size), bytes.subarray(start - maskSize, start));
  return { size, last: bytes[0] > 127, opcode: bytes[0] & 15, payload };
}

/** Returns a payload with its mask, which may be empty, removed or applied. */
function unmasked(payload, mask) {
  return mask.length === 0 ? payload : payload.map((byte, i) => byte ^ mask[i % 4]);
}

module.exports = { play };
