// The bot that is written in this page: its code, its seat in a match, and what it
// prints.

import {
  BotClient,
  type BotClientHandler,
  type Ends,
  type Starts,
  type Turn,
} from "./botclient.ts";
import { botToken } from "./bottoken.ts";
import { BotWorker, type BotWorkerHandler } from "./botworker.ts";
import { sendVersion } from "./eventteam.ts";
import { hasOperatorToken, operate } from "./http.ts";
import { findMatch, findPlayed } from "./joinable.ts";
import { addLine, type Line } from "./printedlines.ts";
import type { Level, Order } from "./sandbox.ts";
import { playCommand, type Starter } from "./starter.ts";
import { number } from "./text.ts";
import { type Outcome, type Version, Versions } from "./versions.ts";

/** idle: nothing runs. waiting: for the next match. starting: the code runs. seated: the match has not started. */
export type Stage = "idle" | "waiting" | "starting" | "seated" | "playing";

/** What the workshop needs of the page. */
export interface Place {
  /** The id of the match in the page's address; empty: the page shows the current one. */
  readonly only: string;
  /** The game whose bot is written. */
  readonly game: { readonly name: string; readonly starter?: Starter };
  /** Returns how many players have joined the match on the stage that are not the server's. */
  guests(): number;
  /** tokens: the server wants one of its operator. */
  readonly server: { readonly tokens: boolean };
  /** Shows the current match. */
  watch(match: string): void;
  /** Follows a player of a match, if that is on the stage, at its newest turn. Reports whether it is. */
  accompany(match: string, player: number): boolean;
  changed(now?: boolean): void;
}

/** What the server accepts as a nickname. */
const NICKNAME = /^\S{1,10}$/u;

/** Where localStorage keeps the code of the page's first game; that of another game is below its name. */
const CODE = "bot.code";

/** Keeps the code of each game, its versions and the settings in localStorage. */
export class Workshop implements BotClientHandler, BotWorkerHandler {
  code = "";
  versions!: Versions;
  nickname = localStorage.getItem("bot.nickname") ?? "my_bot";
  keep = localStorage.getItem("bot.keep") === "yes";
  stage: Stage = "idle";
  lines: Line[] = [];
  /** The turn whose state the bot got last, as the page counts; -1: none. */
  turnSeen = -1;
  /** The match that the bot plays or has played, and its player there, -1 before the start. */
  match = "";
  me = -1;
  /** What runs, or ran last; null: nothing has. */
  version: Version | null = null;
  /** The match in which another connection took the bot's seat; empty: an event's lobby; null: none. */
  taken: string | null = null;

  private starter!: Starter;
  private worker: BotWorker | null = null;
  private seat: BotClient | null = null;
  private specials = 0;
  /** The viewer has asked for a match: one is begun if that is possible, or waited for. */
  private wanted: "no" | "run" | "next" = "no";
  private accompanied = false;
  /** The bot has joined the lobby of an event, which has no id, and waits there for one round after another. */
  private rounds = false;
  /** What this viewer may do so that the match starts; empty: other players have joined, for whom it waits. */
  private mayStart: readonly string[] = [];
  private readonly keys: Map<Starter, string>;

  /** first is the starter of the page's first game. */
  constructor(
    private readonly place: Place,
    first: Starter,
  ) {
    const team = sessionStorage.getItem("bot.team"); // of an event, whose pages lead here; another one of this machine has other code
    this.keys = new Map([[first, team ? `${CODE}.${team}` : CODE]]);
    this.choose();
  }

  /** Shows the code of the bot of the game on the stage. One that plays goes on. */
  choose(): void {
    const { starter, name } = this.place.game;
    if (!starter || starter === this.starter) return;
    if (!this.keys.has(starter)) this.keys.set(starter, `${CODE}.${name}`);
    this.starter = starter;
    const written = localStorage.getItem(this.key);
    this.code = written === null ? starter.code : (starter.modernize?.(written) ?? written);
    this.versions = new Versions(this.key.replace(CODE, "bot.versions"));
    this.version = null;
  }

  private get key(): string {
    return this.keys.get(this.starter)!;
  }

  write(code: string): void {
    this.code = code;
    localStorage.setItem(this.key, code);
  }

  reset(): void {
    this.write(this.starter.code);
    this.place.changed(true);
  }

  name(nickname: string): void {
    this.nickname = nickname;
    localStorage.setItem("bot.nickname", nickname);
    this.place.changed(true);
  }

  keepPlaying(keep: boolean): void {
    this.keep = keep;
    localStorage.setItem("bot.keep", keep ? "yes" : "no");
    if (!keep && this.stage === "waiting") this.stop();
    this.place.changed(true);
  }

  /**
   * Starts the bot and joins a match; a bot that is running is stopped first. If this viewer may, free seats are filled
   * with built-in bots, the match is started, and one that is played or over is followed by another one.
   */
  run(): void {
    if (!NICKNAME.test(this.nickname)) {
      this.line("error", "A name must have 1 to 10 characters and no spaces.");
      return;
    }
    this.taken = null;
    this.launch();
  }

  /** Starts the bot and takes its seat back from the connection that has it now. */
  takeBack(): void {
    this.launch();
  }

  private launch(): void {
    this.drop();
    this.lines = [];
    this.version = this.versions.keep(this.code);
    this.wanted = "run";
    this.begin();
  }

  /** Sends the code as a version of the team, which the server plays while no bot of the team is connected. */
  async send(): Promise<void> {
    const problem = await sendVersion(this.code, botToken());
    if (problem !== "") this.line("error", problem);
    else
      this.note(
        "my_bot.js was sent. It plays rounds once it has answered a turn in a match of its own; the page of the team tells.",
      );
  }

  stop(): void {
    if (this.stage !== "idle") this.note("Stopped.");
    this.drop();
    this.enter("idle");
  }

  /** There is another match, or its lobby has changed. */
  matchChanged(): void {
    if (this.stage === "waiting") this.begin();
    if (this.stage === "playing") this.accompany();
  }

  private begin(): void {
    this.drop();
    this.match = "";
    this.me = this.turnSeen = -1;
    this.enter("starting");
    this.worker = new BotWorker(this.version?.code ?? this.code, this); // calls ready or stopped
  }

  /** Leaves the match and terminates the worker. */
  private drop(): void {
    this.seat?.leave();
    this.worker?.close();
    this.seat = this.worker = null;
  }

  private enter(stage: Stage): void {
    this.stage = stage;
    this.place.changed(true);
  }

  private note(text: string): void {
    this.add("note", text, 0, -1);
  }

  private add(level: Line["level"], text: string, line: number, turn: number): void {
    addLine(this.lines, { level, text, line, turn });
    this.place.changed();
  }

  // Reports of the worker.

  async ready(): Promise<void> {
    const { worker } = this;
    if (this.taken !== null) return this.sit(this.taken, []);
    const found = await findMatch(
      this.rounds ? "" : this.place.only,
      playCommand(this.starter, "page"),
    );
    if (worker !== this.worker) return; // the bot was stopped meanwhile
    if (found.refusal === "") return this.sit(found.match, found.may);
    if (this.wanted === "run" && this.operates && found.next)
      return this.playNext(found.match, found.next);
    this.drop();
    if (found.later && (this.keep || this.wanted !== "no")) {
      if (this.wanted === "run") this.note(`${found.refusal} ${this.nickname} joins the next one.`);
      this.wanted = "next";
      this.enter("waiting");
    } else {
      this.line("error", found.refusal);
      this.enter("idle");
    }
  }

  /** The server need not ask the viewer for a token before it does what only its operator may do. */
  private get operates(): boolean {
    return !this.place.server.tokens || hasOperatorToken();
  }

  private sit(match: string, may: readonly string[]): void {
    this.taken = null;
    this.match = match;
    this.rounds = match === "";
    this.accompanied = false;
    this.mayStart = this.wanted !== "no" && this.operates && this.place.guests() === 0 ? may : [];
    this.seat = new BotClient(this.nickname, botToken(), match, this);
  }

  /** Has the match that follows be played, and waits for it. */
  private async playNext(match: string, how: "again" | "restart"): Promise<void> {
    this.drop();
    this.wanted = "next";
    this.enter("waiting");
    const problem = await operate(match, how);
    if (problem === "") return this.place.watch("");
    this.line("error", problem);
    this.enter("idle");
  }

  /** Fills the free seats and starts the match, if this viewer may do both and the match does not start by itself. */
  private async startWithBots(): Promise<void> {
    const { match, mayStart } = this;
    if (!mayStart.includes("fill")) return;
    let problem = await operate(match, "fill");
    if (
      problem === "" &&
      mayStart.includes("start") &&
      this.stage === "seated" &&
      this.match === match
    )
      problem = await operate(match, "start");
    if (problem !== "") this.line("error", problem);
  }

  line(level: Level, text: string, line = 0, order?: Order): void {
    this.add(
      level,
      text,
      line,
      order?.message_type === "GAME_ENDS" ? this.turnSeen + 1 : turnOf(order),
    );
  }

  handled(message: Order, answer: string): void {
    if (answer !== "") this.seat?.send(answer);
    if (message.message_type === "GAME_ENDS") this.leave();
  }

  stopped(): void {
    this.drop();
    this.enter("idle");
  }

  // Messages of the server.

  seated(): void {
    this.wanted = "no";
    this.note(`${this.nickname} has a seat. The match has not started yet.`);
    this.enter("seated");
    void this.startWithBots();
  }

  starts(message: Starts): void {
    this.me = message.player_id;
    this.specials = message.nb_special_players;
    this.note("The match has started.");
    this.worker?.pass(message);
    this.enter("playing");
    if (this.rounds) void this.watchOwn();
    else this.accompany();
  }

  /** Shows the match that the bot plays in a round. */
  private async watchOwn(): Promise<void> {
    const { worker } = this;
    const match = await findPlayed(this.nickname);
    if (match === "" || worker !== this.worker) return;
    this.match = match;
    this.place.watch(match);
  }

  /** Has the page follow the bot, once for each match. */
  private accompany(): void {
    if (!this.accompanied) this.accompanied = this.place.accompany(this.match, this.me);
  }

  turn(message: Turn): void {
    this.turnSeen = turnOf(message);
    this.worker?.pass(message);
    this.place.changed();
  }

  ends(message: Ends): void {
    const { score } = outcomeOf(message, this.me, this.specials);
    const points = score === null ? "" : ` with a score of ${number(score)}`;
    this.note(
      message.winner_player_id === this.me
        ? `The match is over: ${this.nickname} has won${points}.`
        : `The match is over: ${this.nickname} ends${points}.`,
    );
    if (this.version) this.versions.add(this.version, outcomeOf(message, this.me, this.specials));
    this.worker?.pass(message); // the bot leaves when it has handled it
  }

  left(reason: string, replaced: boolean): void {
    if (!replaced) {
      this.line("error", reason);
      return this.leave();
    }
    const taken = `Another browser or program plays in the place of ${this.nickname} now.`;
    this.line("error", `${taken} This page only shows the match.`);
    this.taken = this.rounds ? "" : this.match;
    this.drop();
    this.enter("idle");
  }

  private leave(): void {
    this.drop();
    if (this.rounds && this.keep && this.me >= 0) this.begin();
    else this.enter(this.keep ? "waiting" : "idle");
  }
}

/** Returns the turn whose state a message brings; -1: it brings none. TURN 0 has the state after the first turn. */
function turnOf(order: Order | undefined): number {
  return order?.message_type === "TURN" ? Number(order.turn_number) + 1 : -1;
}

/** Returns how a match ended for a player; special players come first in the order of ids. */
function outcomeOf({ game_state, winner_player_id }: Ends, me: number, specials: number): Outcome {
  const scores = Object.entries(game_state.score ?? {})
    .filter(([id]) => Number(id) >= specials)
    .map(([, score]) => score);
  const score = game_state.score?.[me] ?? null;
  if (score === null)
    return { rank: winner_player_id < 0 || winner_player_id === me ? 1 : 2, players: 2, score };
  return {
    rank: 1 + scores.filter((other) => other > score).length,
    players: scores.length,
    score,
  };
}
