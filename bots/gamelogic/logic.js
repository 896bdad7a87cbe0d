#!/usr/bin/env node
// Claim on a board of hexagons: a game logic. In each turn a player claims one cell, [{"claim": NUMBER}].
//
//     hexarena play --game external --logic logic.js claimer.js claimer.js
"use strict";

const net = require("node:net");

const RADIUS = 4;
const VIEW = { cells: "/cells", color: "owner", pieces: [{ list: "/claimed", color: "owner" }], scores: "/score" };

/** Returns a generator of numbers from 0 to 1 that depend on nothing but the seed (mulberry32). */
function generator(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

class Game {
  constructor(players, seed) {
    this.players = players;
    this.cells = [];
    this.claimed = [];
    for (let q = -RADIUS; q <= RADIUS; q++) {
      for (let r = -RADIUS; r <= RADIUS; r++) {
        if (Math.abs(q + r) <= RADIUS) this.cells.push({ q, r, owner: -1 });
      }
    }
    const random = generator(seed);
    for (let player = 0; player < players; ) {
      const cell = this.cells[Math.floor(random() * this.cells.length)];
      if (cell.owner < 0) cell.owner = player++;
    }
  }

  /** Claims the cell of the first action. Returns "", or why that is not possible. */
  claim(player, actions) {
    const cell = this.cells[actions[0]?.claim];
    if (!cell) return "no such cell";
    if (cell.owner >= 0) return "claimed already";
    cell.owner = player;
    this.claimed.push(cell);
    return "";
  }

  turn(answers) {
    this.claimed = [];
    const reasons = answers
      .map(({ player_id: player, actions }) => ({ player, action: 0, text: this.claim(player, actions) }))
      .filter(({ text }) => text !== "");
    const { score } = this.state();
    const best = Math.max(...score);
    const winner = score.filter((s) => s === best).length === 1 ? score.indexOf(best) : -1;
    return { winner_player_id: winner, game_state: { all_clients: this.state() }, reasons };
  }

  state() {
    const score = Array(this.players).fill(0);
    for (const { owner } of this.cells) if (owner >= 0) score[owner]++;
    return { cells: this.cells, claimed: this.claimed, score };
  }
}

const server = net.connect(Number(process.env.BOT_PORT ?? 4242), process.env.BOT_HOST ?? "127.0.0.1");
let game;
let received = Buffer.alloc(0);

function send(type, fields) {
  const content = Buffer.from(JSON.stringify({ message_type: type, ...fields }) + "\n");
  const head = Buffer.alloc(4);
  head.writeUInt32LE(content.length);
  server.write(Buffer.concat([head, content]));
}

function handle(message) {
  switch (message.message_type) {
    case "DO_INIT":
      game = new Game(message.nb_players + message.nb_special_players, message.seed ?? Math.random() * 2 ** 32);
      send("DO_INIT_ACK", { initial_game_state: { all_clients: game.state() }, rules: "claim-hexagons/1", view: VIEW });
      break;
    case "DO_TURN":
      send("DO_TURN_ACK", game.turn(message.player_actions));
      break;
    case "KICK":
      server.end();
  }
}

server.setNoDelay(true);
server.on("data", (part) => {
  received = Buffer.concat([received, part]);
  while (received.length >= 4 && received.length >= 4 + received.readUInt32LE()) {
    const end = 4 + received.readUInt32LE();
    handle(JSON.parse(received.subarray(4, end)));
    received = received.subarray(end);
  }
});
send("LOGIN", { nickname: "claim", role: "game logic", metaprotocol_version: "2.0.0" });
