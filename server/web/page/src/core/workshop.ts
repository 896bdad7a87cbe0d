// The bot that is written in this page: its code, its seat in a match, and what it
// prints.

import { BotClient, type BotClientHandler, type Ends, type Starts, type Turn } from "./botclient.ts";
import { BotWorker, type BotWorkerHandler } from "./botworker.ts";
import type { Level, Order } from "./sandbox.ts";
import { playCommand, type Starter } from "./starter.ts";
import { number } from "./text.ts";

/** idle: nothing runs. waiting: for the next match. starting: the code runs. seated: the match has not started. */
export type Stage = "idle" | "waiting" | "starting" | "seated" | "playing";

/** A line that the bot printed, an error, or a note. */
export interface Line {
  level: Level | "note"; // a note comes from the page
  text: string;
  line: number; // of the code; 0: not known
  times: number; // in a row
}

/** The number of lines that are kept, and what the server accepts as a nickname. */
const MOST_LINES = 500;
const NICKNAME = /^\S{1,10}$/u;

/** Where localStorage keeps the code of the page's first game; that of another game is below its name. */
const CODE = "bot.code";

/** Keeps the code of each game and the settings in localStorage. */
export class Workshop implements BotClientHandler, BotWorkerHandler {
  code: string;
  nickname = localStorage.getItem("bot.nickname") ?? "my_bot";
  /** Identifies the bot to servers that want that; kept while the tab is open. */
  token = sessionStorage.getItem("bot.token") ?? "";
  keep = localStorage.getItem("bot.keep") === "yes";
  stage: Stage = "idle";
  lines: Line[] = [];
  /** The last turn that the bot was asked for. */
  turnAsked = -1;

  private worker: BotWorker | null = null;
  private seat: BotClient | null = null;
  private me = -1;
  private readonly codes = new Map([[this.starter, CODE]]);

  /**
   * starter is that of the page's first game. shown returns the id of the match in the page's
   * address; "": the page shows the current one.
   */
  constructor(
    public starter: Starter,
    private readonly shown: () => string,
    private readonly changed: (now?: boolean) => void,
  ) {
    this.code = this.kept();
  }

  /** Shows the code of a game's bot. One that plays goes on. */
  choose(starter: Starter, game: string): void {
    if (!this.codes.has(starter)) this.codes.set(starter, `${CODE}.${game}`);
    this.starter = starter;
    this.code = this.kept();
  }

  private kept(): string {
    const { code, modernize } = this.starter;
    const written = localStorage.getItem(this.codes.get(this.starter)!);
    return written === null ? code : (modernize?.(written) ?? written);
  }

  write(code: string): void {
    this.code = code;
    localStorage.setItem(this.codes.get(this.starter)!, code);
  }

  name(nickname: string): void {
    this.nickname = nickname;
    localStorage.setItem("bot.nickname", nickname);
    this.changed(true);
  }

  authorize(token: string): void {
    this.token = token.trim();
    sessionStorage.setItem("bot.token", this.token);
    this.changed(true);
  }

  keepPlaying(keep: boolean): void {
    this.keep = keep;
    localStorage.setItem("bot.keep", keep ? "yes" : "no");
    if (!keep && this.stage === "waiting") this.stop();
    this.changed(true);
  }

  /** Starts the bot and joins the match; a bot that is running is stopped first. */
  join(): void {
    if (!NICKNAME.test(this.nickname)) {
      this.line("error", "A name must have 1 to 10 characters and no spaces.");
      return;
    }
    this.drop();
    this.lines = [];
    this.begin();
  }

  stop(): void {
    if (this.stage !== "idle") this.note("Stopped.");
    this.drop();
    this.enter("idle");
  }

  /** There is another match, or its lobby has changed. */
  matchChanged(): void {
    if (this.stage === "waiting") this.begin();
  }

  private begin(): void {
    this.drop();
    this.enter("starting");
    this.worker = new BotWorker(this.code, this); // calls ready or stopped
  }

  /** Leaves the match and terminates the worker. */
  private drop(): void {
    this.seat?.leave();
    this.worker?.close();
    this.seat = this.worker = null;
  }

  private enter(stage: Stage): void {
    this.stage = stage;
    this.changed(true);
  }

  private note(text: string): void {
    this.add({ level: "note", text, line: 0, times: 1 });
  }

  private add(line: Line): void {
    const last = this.lines.at(-1);
    if (last && last.level === line.level && last.text === line.text && last.line === line.line) {
      this.lines[this.lines.length - 1] = { ...last, times: last.times + 1 };
    } else {
      this.lines.push(line);
      if (this.lines.length > MOST_LINES) this.lines.splice(0, this.lines.length - MOST_LINES);
    }
    this.changed();
  }

  // Reports of the worker.

  async ready(): Promise<void> {
    const { worker } = this;
    const { match, refusal, later } = await matchToJoin(this.shown(), playCommand(this.starter, "page"));
    if (worker !== this.worker) return; // the bot was stopped meanwhile
    if (refusal === "") {
      this.seat = new BotClient(this.nickname, this.token, match, this);
    } else if (this.keep && later) {
      this.drop();
      this.enter("waiting");
    } else {
      this.line("error", refusal);
      this.drop();
      this.enter("idle");
    }
  }

  line(level: Level, text: string, line = 0): void {
    this.add({ level, text, line, times: 1 });
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
    this.note(`${this.nickname} has a seat. The match has not started yet.`);
    this.enter("seated");
  }

  starts(message: Starts): void {
    this.me = message.player_id;
    this.note("The match has started.");
    this.worker?.pass(message);
    this.enter("playing");
  }

  turn(message: Turn): void {
    this.turnAsked = message.turn_number;
    this.worker?.pass(message);
    this.changed();
  }

  ends(message: Ends): void {
    const score = message.game_state.score?.[this.me];
    const points = score === undefined ? "" : ` with a score of ${number(score)}`;
    this.note(message.winner_player_id === this.me ? `The match is over: ${this.nickname} has won${points}.` : `The match is over: ${this.nickname} ends${points}.`);
    this.worker?.pass(message); // the bot leaves when it has handled it
  }

  left(reason: string): void {
    this.line("error", reason);
    this.leave();
  }

  private leave(): void {
    this.drop();
    this.enter(this.keep ? "waiting" : "idle");
  }
}

/** The match that a bot can join, or the reason why it cannot. */
interface Found {
  match: string;
  /** Empty: the bot can join. */
  refusal: string;
  /** A match that follows may have a seat. */
  later: boolean;
}

/** Resolves to the match that a bot can join, which is the current one if shown is empty. The command plays one. */
async function matchToJoin(shown: string, command: string): Promise<Found> {
  try {
    const response = await fetch("/api/matches");
    const matches = (await response.json()) as Joinable[];
    const found = matches.find((m) => (shown === "" ? m.current : m.id === shown));
    return { match: found?.id ?? "", refusal: joinProblem(found, command), later: found?.for_page ?? true };
  } catch {
    return { match: "", refusal: "The server cannot be reached.", later: true };
  }
}

/** What is needed here of a match in the server's list. */
interface Joinable {
  id: string;
  current: boolean;
  phase: string;
  may: string[];
  for_page: boolean;
}

/** Returns why no bot can join a match now; empty if one can. */
function joinProblem(match: Joinable | undefined, command: string): string {
  if (!match) return `There is no match to join. Start one with “${command}”.`;
  if (match.may.includes("join")) return "";
  if (!match.for_page) return `This match has no seat for a bot of this page. Start one that has with “${command}”.`;
  if (match.phase === "playing") return "The match has already started. Tick “keep playing” to join the next one.";
  return "The match is over. Tick “keep playing” to join the next one.";
}
