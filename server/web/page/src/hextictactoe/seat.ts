// The seat of whoever plays on this page. The server asks a person for one piece
// at a time; here both are chosen first, and can be taken back until they are sent.

import type { Coord } from "../feed.ts";
import type { Session } from "../session.ts";
import type { EndlessBoard } from "./board.ts";
import { distance, runs } from "./field.ts";
import { storyOf } from "./match.ts";
import { cellOf, coordOf } from "./sight.ts";
import { SIDES, type GameStory, type Side } from "./story.ts";

/** What the server sends to a person. */
interface Packet {
  type?: string;
  side?: Side;
  reason?: string;
  winner?: Side | null;
}

export class Seat {
  /** The pieces of the next move. */
  chosen: Coord[] = [];
  /** Why there is nothing to choose any more; empty while the game goes on. */
  over = "";
  /** The server has asked for a move. */
  asked = false;
  started = false;
  /** Pieces that are to be sent as soon as they are asked for. */
  private outbox: Coord[] = [];
  private readonly socket: WebSocket;

  constructor(
    private readonly session: Session,
    private readonly board: EndlessBoard,
    readonly game: string,
    readonly side: Side,
    token: string,
  ) {
    const address = new URL("/ws", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("token", token);
    this.socket = new WebSocket(address);
    this.socket.onmessage = (m) => this.hear(m.data);
    this.socket.onclose = () => this.end("The connection is closed.");
  }

  get player(): number {
    return SIDES.indexOf(this.side);
  }

  /** It is time to choose pieces, on the newest position. */
  get choosing(): boolean {
    const { store, player } = this.session;
    return this.asked && this.outbox.length === 0 && this.over === "" && store.start?.id === this.game && player.turn === store.last;
  }

  /** Two pieces are chosen, or one that wins. */
  get ready(): boolean {
    const story = this.story;
    return story !== null && this.choosing && (this.chosen.length === 2 || (this.chosen.length === 1 && this.wins(story, this.chosen)));
  }

  /** Enter and Backspace, while pieces are chosen. */
  key(key: string): boolean {
    if (key === "Enter" && this.ready) this.send();
    else if (key === "Backspace" && this.choosing && this.chosen.length > 0) this.takeBack();
    else return false;
    return true;
  }

  private get story(): GameStory | null {
    return this.session.store.start?.id === this.game ? storyOf(this.session) : null;
  }

  /** Chooses a cell, or takes its piece back. Explains what is not allowed. */
  press(at: Coord): boolean {
    if (!this.choosing) return false;
    const { session } = this;
    const held = this.chosen.findIndex((c) => c.q === at.q && c.r === at.r);
    if (held >= 0) {
      // The second piece may have counted on the first.
      this.chosen = this.chosen.slice(0, held);
    } else {
      const problem = this.problem(at);
      if (problem) session.say(problem);
      else this.chosen = [...this.chosen, at];
    }
    this.shown();
    session.changed(true);
    return true;
  }

  takeBack(): void {
    this.chosen = this.chosen.slice(0, -1);
    this.shown();
    this.session.changed(true);
  }

  /** Why a piece cannot be placed there; empty if it can. */
  problem(at: Coord): string {
    const story = this.story;
    if (!story) return "The game has not begun.";
    if (this.chosen.length === 2) return "Both pieces are chosen. Press one to take it back, or send the move.";
    if (this.ready) return "This piece wins alone. Send the move.";
    if (cellOf(at) < 0) return "That is too far out.";
    const all = [...story.pieces, ...this.chosen];
    if (all.some((p) => p.q === at.q && p.r === at.r)) return "This cell is taken.";
    const reach = story.rules.view_distance;
    return all.some((p) => distance(p, at) <= reach) ? "" : `Too far: a piece goes at most ${reach} cells from another one.`;
  }

  send(): void {
    if (!this.ready) return;
    this.outbox = this.chosen;
    this.chosen = [];
    this.deliver();
    this.shown();
    this.session.changed(true);
  }

  /** The board has to show what is chosen. */
  shown(): void {
    const cell = this.session.cell;
    const mine = this.story !== null && this.over === "";
    const choice = mine && (this.choosing || this.outbox.length > 0);
    this.board.choose(choice ? {
      side: this.side, pieces: [...this.chosen, ...this.outbox],
      ghost: this.choosing && cell >= 0 && this.problem(coordOf(cell)) === "",
    } : null);
  }

  leave(): void {
    this.socket.close();
    this.end("You have left.");
  }

  private wins(story: GameStory, pieces: readonly Coord[]): boolean {
    const own = [...story.pieces.filter((p) => p.p === this.side), ...pieces];
    return runs(own, story.rules.win_distance).length > 0;
  }

  private hear(data: unknown): void {
    const packet = read(data);
    switch (packet.type) {
      case "setup":
        this.started = true;
        this.session.attend(this.game);
        break;
      case "move_request":
        this.asked = true;
        this.deliver();
        break;
      case "nope":
        this.end(packet.reason ?? "The server refuses.");
        break;
      case "end":
        this.end(packet.winner === null ? "A draw." : packet.winner === this.side ? "You have won." : "You have lost.");
    }
    this.shown();
    this.session.changed(true);
  }

  /** Sends the next piece, if one was asked for and one is chosen. */
  private deliver(): void {
    const next = this.outbox[0];
    if (!this.asked || !next) return;
    this.outbox = this.outbox.slice(1);
    this.asked = false;
    this.socket.send(JSON.stringify({ type: "move_response", move: { pieces: [{ q: next.q, r: next.r }] } }));
  }

  private end(why: string): void {
    if (this.over !== "") return;
    this.over = why;
    this.asked = false;
    this.outbox = this.chosen = [];
    this.shown();
    this.session.changed(true);
  }
}

function read(data: unknown): Packet {
  try {
    return JSON.parse(String(data)) as Packet;
  } catch {
    return {};
  }
}
