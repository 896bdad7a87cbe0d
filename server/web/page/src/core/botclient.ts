// A client of the netorcai metaprotocol over a WebSocket: one JSON object per
// message.

import { socketAddress } from "./http.ts";

/** Receives what happens to the client. */
export interface BotClientHandler {
  /** The server has accepted the login; the match starts later. */
  seated(): void;
  starts(message: Starts): void;
  turn(message: Turn): void;
  /** The match was played to its end. */
  ends(message: Ends): void;
  /** The client has lost its seat, for this reason. replaced: another connection took it. */
  left(reason: string, replaced: boolean): void;
}

/** Why the server disconnects a client whose seat another connection took. */
const REPLACED = "Another connection took the seat";

interface Message {
  message_type: string;
  [more: string]: unknown;
}

/** The GAME_STARTS message. */
export interface Starts extends Message {
  player_id: number;
  nb_special_players: number;
}

/** The TURN message. */
export interface Turn extends Message {
  turn_number: number;
}

/** The GAME_ENDS message. */
export interface Ends extends Message {
  winner_player_id: number;
  game_state: { score?: Record<string, number> };
}

/** Connects to a match when it is made. */
export class BotClient {
  private readonly socket: WebSocket;
  private reason = "";
  private over = false;

  /** The token may be empty. It is sent in a message, so that it is in no address. */
  constructor(
    nickname: string,
    token: string,
    match: string,
    private readonly handler: BotClientHandler,
  ) {
    const address = socketAddress("/netorcai");
    address.searchParams.set("match", match);
    this.socket = new WebSocket(address);
    this.socket.onopen = () =>
      this.send(
        JSON.stringify({
          message_type: "LOGIN",
          nickname,
          role: "player",
          metaprotocol_version: "2.0.0",
          language: "JavaScript",
          token: token || undefined,
        }),
      );
    this.socket.onmessage = (e) => this.receive(JSON.parse(String(e.data)));
    this.socket.onclose = () => {
      if (this.over) return;
      const why = this.reason
        ? `The server says: ${this.reason}`
        : "The connection to the server was lost.";
      handler.left(why, this.reason === REPLACED);
    };
  }

  /** Sends a message, which is JSON text, unless the server has just closed the connection. */
  send(message: string): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(message);
  }

  leave(): void {
    this.over = true;
    this.socket.close();
  }

  private receive(message: Message): void {
    switch (message.message_type) {
      case "LOGIN_ACK":
        return this.handler.seated();
      case "GAME_STARTS":
        return this.handler.starts(message as Starts);
      case "TURN":
        return this.handler.turn(message as Turn);
      case "GAME_ENDS":
        this.over = true;
        return this.handler.ends(message as Ends);
      case "KICK":
        this.reason = String(message.kick_reason);
    }
  }
}
