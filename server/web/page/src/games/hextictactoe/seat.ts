// The seat of the player in this page. The server asks for one piece at a time; the
// page lets the player choose both, and take them back until they are sent.

import { sentence, socketAddress } from "../../core/http.ts";
import type { Coord } from "../../core/plane.ts";
import type { Session } from "../../core/session.ts";
import type { EndlessBoard } from "./board.ts";
import { distance, runs } from "./field.ts";
import { storyOf } from "./match.ts";
import { type GameStory, type Side, SIDES } from "./story.ts";
import { cellOf, coordOf } from "./viewport.ts";
import { reasonText } from "./words.ts";

/** A message of the server. */
interface Packet {
  type?: string;
  side?: Side;
  reason?: string;
  winner?: Side | null;
  /** Why a side forfeits. */
  detail?: string;
  connected?: boolean;
  /** Of a request for a piece: the position. */
  board?: { cells?: unknown[] };
}

/** What it takes to take a seat. */
export interface Ticket {
  /** The id of the match. */
  game: string;
  /** null: the start of the match tells. */
  side: Side | null;
  /** Of a game on request: that of the seat. Otherwise that of the player, which may be empty. */
  token: string;
  /** Asks for any seat of a match that others play as well, and gives it back; undefined in a game on request. */
  key?: string;
}

/** Returns a secret for the key of a ticket. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((b) => b.toString(16).padStart(2, "0"))
    .join("");
}

/** The key of this tab's seat in sessionStorage: the seat survives a reload of the page. */
const KEPT = "seat";

/** Returns the seat that this tab had before it was reloaded, if its game goes on. */
export function keptTicket(): Ticket | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "null") as Ticket | null;
  } catch {
    return null;
  }
}

/** The wait before each attempt to reconnect, in milliseconds, and their number: more than the server's grace period of 30 s. */
const PAUSE = 1000;
const ATTEMPTS = 40;

/** Connects when it is made, and reconnects while the game goes on. */
export class Seat {
  /** The pieces of the next move. */
  chosen: Coord[] = [];
  /** How the game ended for this player; empty while it goes on. */
  over = "";
  /** The server has asked for a move. */
  asked = false;
  /** The number of pieces in the position that the server asks about. The feed may still lack some. */
  private placed = 0;
  started = false;
  /** Pieces that are sent when the server asks for them. */
  private outbox: Coord[] = [];
  /** The other side's connection is lost. */
  otherLost = false;
  /** This player's connection is lost. */
  lost = false;
  private attempts = 0;
  private socket!: WebSocket;
  private readonly confirmLeaving = (e: BeforeUnloadEvent) => e.preventDefault();
  /** Closes the connection of a page that the browser puts into its back/forward cache, which would keep it open. */
  private readonly hangUp = () => this.socket.close();
  /** null before the start of a match that decides. */
  side: Side | null;

  constructor(
    private readonly session: Session,
    private readonly board: EndlessBoard,
    private readonly ticket: Ticket,
  ) {
    this.side = ticket.side;
    sessionStorage.setItem(KEPT, JSON.stringify(ticket));
    addEventListener("beforeunload", this.confirmLeaving);
    addEventListener("pagehide", this.hangUp);
    this.connect();
  }

  private connect(): void {
    const { game, token, key } = this.ticket;
    const address = socketAddress(this.requested ? "/ws" : "/person");
    if (this.requested) {
      address.searchParams.set("token", token);
      address.searchParams.set("presence", "");
    } else {
      address.searchParams.set("match", game);
    }
    this.socket = new WebSocket(address);
    // A player's token is sent in a message, so that it is in no address.
    if (!this.requested)
      this.socket.onopen = () =>
        this.socket.send(JSON.stringify({ type: "sit", key, token: token || undefined }));
    this.socket.onmessage = (m) => this.receive(m.data);
    this.socket.onclose = () => this.disconnected();
  }

  /** Reconnects for as long as the server may keep the seat. Chosen pieces have to be chosen again. */
  private disconnected(): void {
    if (this.over !== "") return;
    if (
      !this.requested &&
      this.session.server.matches.length > 0 &&
      !this.session.server.find(this.game)
    )
      return this.end("The match is over.");
    if (++this.attempts > ATTEMPTS) return this.end("The connection was lost.");
    this.lost = true;
    this.asked = false;
    this.outbox = this.chosen = [];
    this.showChoice();
    this.session.changed(true);
    setTimeout(() => this.over === "" && this.connect(), PAUSE);
  }

  get game(): string {
    return this.ticket.game;
  }

  /** The game was made for this player, on request. */
  get requested(): boolean {
    return this.ticket.key === undefined;
  }

  /** The player's id, or -1 if it is not known yet. */
  get player(): number {
    return this.side === null ? -1 : SIDES.indexOf(this.side);
  }

  /** The server did not give the seat to this page. */
  get refused(): boolean {
    return !this.started && this.over !== "";
  }

  /** The player may choose pieces now: the position that the server asks about is shown, or is with the next frame. */
  get choosing(): boolean {
    const { store, player } = this.session;
    const shown = player.following || player.turn === store.last;
    return (
      this.asked &&
      this.outbox.length === 0 &&
      this.over === "" &&
      shown &&
      (this.story?.pieces.length ?? -1) >= this.placed
    );
  }

  /** Two pieces are chosen, or one that wins. */
  get ready(): boolean {
    const story = this.story;
    return (
      story !== null &&
      this.choosing &&
      (this.chosen.length === 2 || (this.chosen.length === 1 && this.wins(story, this.chosen)))
    );
  }

  /** Handles Enter and Backspace while pieces are chosen. */
  key(key: string): boolean {
    if (key === "Enter" && this.ready) this.send();
    else if (key === "Backspace" && this.choosing && this.chosen.length > 0) this.takeBack();
    else return false;
    return true;
  }

  private get story(): GameStory | null {
    return this.session.store.start?.id === this.game ? storyOf(this.session) : null;
  }

  /** Chooses a cell or takes its piece back. If the cell is not allowed, tells why. */
  press(at: Coord): boolean {
    if (!this.choosing) return false;
    const { session } = this;
    const held = this.chosen.findIndex((c) => c.q === at.q && c.r === at.r);
    if (held >= 0) {
      // The second piece may depend on the first.
      this.chosen = this.chosen.slice(0, held);
    } else {
      const problem = this.problem(at);
      if (problem) session.say(problem);
      else this.chosen = [...this.chosen, at];
    }
    this.showChoice();
    session.changed(true);
    return true;
  }

  takeBack(): void {
    this.chosen = this.chosen.slice(0, -1);
    this.showChoice();
    this.session.changed(true);
  }

  /** Returns why a piece cannot be placed on a cell; empty if it can. */
  problem(at: Coord): string {
    const story = this.story;
    if (!story) return "The game has not begun.";
    if (this.chosen.length === 2)
      return "Both pieces are chosen. Click one to take it back, or send the move.";
    if (this.ready) return "This piece wins alone. Send the move.";
    if (cellOf(at) < 0) return "This cell is too far from the centre.";
    const all = [...story.pieces, ...this.chosen];
    if (all.some((p) => p.q === at.q && p.r === at.r)) return "This cell is taken.";
    const reach = story.rules.view_distance;
    return all.some((p) => distance(p, at) <= reach)
      ? ""
      : `Too far: a piece must be within ${reach} cells of another one.`;
  }

  send(): void {
    if (!this.ready) return;
    this.outbox = this.chosen;
    this.chosen = [];
    this.deliver();
    this.showChoice();
    this.session.changed(true);
  }

  /** Updates the board with what is chosen. */
  showChoice(): void {
    const cell = this.session.cell;
    const mine = this.story !== null && this.over === "";
    const choice = mine && (this.choosing || this.outbox.length > 0);
    this.board.choose(
      choice && this.side
        ? {
            side: this.side,
            pieces: [...this.chosen, ...this.outbox],
            ghost: this.choosing && cell >= 0 && this.problem(coordOf(cell)) === "",
          }
        : null,
    );
  }

  leave(): void {
    if (this.over === "" && (this.started || !this.requested)) this.resign();
    this.end("You have left.");
    this.socket.close();
  }

  /** Gives the game up. */
  resign(): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify({ type: "resign" }));
    this.end("You have resigned.");
  }

  private wins(story: GameStory, pieces: readonly Coord[]): boolean {
    const own = [...story.pieces.filter((p) => p.p === this.side), ...pieces];
    return runs(own, story.rules.win_distance).length > 0;
  }

  private receive(data: unknown): void {
    const packet = read(data);
    this.lost = false;
    this.attempts = 0;
    switch (packet.type) {
      case "presence":
        this.otherLost = packet.connected === false;
        break;
      case "setup":
        this.started = true;
        this.side = packet.side ?? this.side;
        this.session.watch(this.game);
        break;
      case "move_request":
        this.asked = true;
        this.placed = packet.board?.cells?.length ?? 0;
        this.deliver();
        break;
      case "nope":
        this.end(
          packet.reason === "invalid token" && this.requested
            ? "The game is over, or this seat is not yours."
            : sentence(packet.reason || "the server refused"),
        );
        break;
      case "end":
        this.end(endText(packet, this.side));
    }
    this.showChoice();
    this.session.changed(true);
  }

  /** Sends the next piece if the server has asked for one. */
  private deliver(): void {
    const next = this.outbox[0];
    if (!this.asked || !next) return;
    this.outbox = this.outbox.slice(1);
    this.asked = false;
    this.socket.send(
      JSON.stringify({ type: "move_response", move: { pieces: [{ q: next.q, r: next.r }] } }),
    );
  }

  private end(why: string): void {
    if (this.over !== "") return;
    this.over = why;
    sessionStorage.removeItem(KEPT);
    removeEventListener("beforeunload", this.confirmLeaving);
    removeEventListener("pagehide", this.hangUp);
    this.asked = this.otherLost = this.lost = false;
    this.outbox = this.chosen = [];
    this.showChoice();
    this.session.changed(true);
  }
}

/** Returns how a game ended for a side. */
function endText({ winner, detail }: Packet, side: Side | null): string {
  if (winner === null) return "A draw.";
  return `You have ${winner === side ? "won" : "lost"}${detail ? ` by forfeit (${reasonText(detail)})` : ""}.`;
}

function read(data: unknown): Packet {
  try {
    return JSON.parse(String(data)) as Packet;
  } catch {
    return {};
  }
}
