// A client of the netorcai metaprotocol over a WebSocket: one JSON object per
// message.

import { socketAddress } from "./http.ts";

/** Receives what happens to the client. */
export interface BotClientHandler {
  /** The server has accepted the login; the match starts later. */
  seated(): void;
  starts(game: Starts): void;
  turn(turn: number, state: object): void;
  /** The match was played to its end. */
  ends(winner: number, state: { score?: Record<string, number> }): void;
  /** The client has lost its seat, for this reason. */
  left(reason: string): void;
}

/** The GAME_STARTS message, as the bot gets it. */
export interface Starts {
  player_id: number;
  [more: string]: unknown;
}

/** Connects to a match when it is made. */
export class BotClient {
  private readonly socket: WebSocket;
  private reason = "";
  private over = false;

  /** The token may be empty. It is sent in a message, so that it is in no address. */
  constructor(nickname: string, token: string, match: string, private readonly handler: BotClientHandler) {
    const address = socketAddress("/netorcai");
    address.searchParams.set("match", match);
    this.socket = new WebSocket(address);
    this.socket.onopen = () => this.send({ message_type: "LOGIN", nickname, role: "player", metaprotocol_version: "2.0.0", language: "JavaScript", token: token || undefined });
    this.socket.onmessage = (e) => this.receive(JSON.parse(String(e.data)));
    this.socket.onclose = () => {
      if (!this.over) handler.left(this.reason || "The connection to the server was lost.");
    };
  }

  /** Answers a TURN. actions is JSON text. */
  answer(turn: number, actions: string): void {
    this.socket.send(`{"message_type":"TURN_ACK","turn_number":${turn},"actions":${actions}}`);
  }

  leave(): void {
    this.over = true;
    this.socket.close();
  }

  private send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  private receive(message: { message_type: string } & Record<string, any>): void {
    switch (message.message_type) {
      case "LOGIN_ACK":
        return this.handler.seated();
      case "GAME_STARTS":
        return this.handler.starts(message as unknown as Starts);
      case "TURN":
        return this.handler.turn(message.turn_number, message.game_state);
      case "GAME_ENDS":
        this.over = true;
        return this.handler.ends(message.winner_player_id, message.game_state);
      case "KICK":
        this.reason = `The server says: ${message.kick_reason}`;
    }
  }
}
