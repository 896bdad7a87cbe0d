// The view of hexagonal tic-tac-toe.

import STARTER from "kit:hextictactoe.js";
import type { Tab } from "../../core/address.ts";
import type { Track } from "../../core/board.ts";
import type { Action, LobbyEvent } from "../../core/feed.ts";
import { bound } from "../../core/game.ts";
import type { Facts, GameView } from "../../core/gameview.ts";
import { ROOT } from "../../core/root.ts";
import type { Session } from "../../core/session.ts";
import { coordinate } from "../../core/text.ts";
import { lazy } from "../../ui/lazy.tsx";
import { PlayedOn } from "../../ui/playedon.tsx";
import { Analysis } from "./analysis.ts";
import { EndlessBoard } from "./board.ts";
import { Chips, ProjectorPanel, Table } from "./cards.tsx";
import { distance } from "./field.ts";
import { storyOf } from "./match.ts";
import { invitation, PlayHere } from "./newgame.tsx";
import { Above, Panel } from "./panel.tsx";
import { describeMove, NAME, nameOf, playsHere, type PlayView, stateText, viewOf } from "./play.ts";
import { Rail } from "./rail.tsx";
import { keptTicket, newKey, Seat, type Ticket } from "./seat.ts";
import { slotOfSide, SYMBOLS } from "./stones.ts";
import { SIDES } from "./story.ts";
import { threats } from "./threats.ts";
import { drawTrack } from "./track.ts";
import type { Trial } from "./trial.ts";
import { cellOf, coordOf } from "./viewport.ts";
import { inWords, timeText } from "./words.ts";
import "./style.css";
import { turnName } from "../../core/turns.ts";

/** The offsets of the neighbours from the upper right, clockwise; r grows upwards. */
const AROUND = [
  [0, 1],
  [1, 0],
  [1, -1],
  [0, -1],
  [-1, 0],
  [-1, 1],
] as const;
/** The height of the controls of a player in this page, with their margin. */
const HAND = 80;
/** The timeline of a live game grows by this number of moves. */
const ROOM = 20;

const Report = lazy(() => import("../../ui/plainreport.tsx").then((m) => m.PlainReport));
const Rules = lazy(() => import("./rules.tsx").then((m) => m.Rules));
const Small = lazy(() => import("./small.tsx").then((m) => m.Small));

/** The view, with the seat of the player in this page. */
export class TicTacToeView implements PlayView {
  readonly name = NAME;
  readonly title = "hex tic-tac-toe";
  readonly symbols = SIDES.map((side) => SYMBOLS[side]);
  readonly board: EndlessBoard;
  readonly unit = "move";
  readonly overlayName = "Considered moves";
  readonly starter = {
    code: STARTER,
    types: { state: "TicTacToeState", action: "Placement" },
    option: `--game ${NAME}`,
    opponent: "nearest",
  };
  readonly parts: GameView["parts"];
  seat: Seat | null = null;
  readonly analysis: Analysis | null;
  trial: Trial | null = null;
  private evaluating = false;
  private marked = false;
  private judged = false;

  constructor(
    private readonly session: Session,
    element: HTMLElement,
  ) {
    this.board = new EndlessBoard(element);
    this.parts = bound(session, {
      Title,
      Chips,
      Rail,
      Panel,
      Report,
      Small,
      ProjectorPanel,
      Rules,
      Table,
      Above,
      PlayHere,
    });
    const { recording, embedded } = session;
    this.analysis =
      recording === null || embedded ? null : new Analysis(recording, () => this.showVerdicts());
  }

  open(): void {
    this.trial = null;
    this.board.view.fit();
    this.board.outline([]);
    void this.analysis?.begin();
  }

  get tabs(): readonly Tab[] {
    return this.analysis?.judges ? ["analysis"] : [];
  }

  get analysed(): Analysis | null {
    return this.session.tab === "analysis" ? this.analysis : null;
  }

  private showVerdicts(): void {
    if (this.judged) this.show(this.session.player.turn, null);
    this.session.changed(true);
  }

  async showLobby(_: LobbyEvent): Promise<void> {
    this.board.show({
      pieces: [{ q: 0, r: 0, p: "x" }],
      numbers: [0],
      previous: [],
      row: [],
      threats: [],
      considered: [],
      side: "x",
      view: 8,
      win: 6,
    });
  }

  show(turn: number, _: number | null): void {
    const story = storyOf(this.session);
    if (!story) return;
    if (this.trial) return this.board.show(this.trial.scene());
    const p = story.at(turn);
    const win = story.rules.win_distance;
    const pieces = story.pieces.slice(0, p.pieces); // a copy: the story grows
    this.board.view.bottomInset = this.seat ? HAND : 0;
    this.board.show({
      pieces,
      numbers: story.numbers,
      threats:
        p.status === "in_progress" ? SIDES.flatMap((side) => threats(pieces, side, win)) : [],
      previous: p.previous,
      row: p.row,
      considered:
        this.analysed?.marks(p.move) ??
        (this.marked && !playsHere(this.session) ? p.considered : []),
      side: p.previous.at(-1)?.side ?? "x",
      view: story.rules.view_distance,
      win,
    });
    this.seat?.showChoice();
  }

  mark(shown: boolean): void {
    const judged = this.analysed !== null;
    if (this.marked === shown && this.judged === judged) return;
    this.marked = shown;
    this.judged = judged;
    this.show(this.session.player.turn, null);
  }

  get first(): number {
    return storyOf(this.session)?.first ?? 0;
  }

  get total(): number {
    const { store } = this.session;
    return store.end ? Math.max(1, store.last) : Math.ceil((store.last + 1) / ROOM) * ROOM;
  }

  count(step: number): string {
    return String(storyOf(this.session)?.at(step).move ?? 0);
  }

  get center(): number {
    const last = storyOf(this.session)
      ?.at(this.session.player.turn)
      .previous.at(-1)
      ?.pieces.slice(-1)[0];
    return cellOf(last ?? { q: 0, r: 0 });
  }

  neighbour(cell: number, direction: number): number {
    const { q, r } = coordOf(cell);
    const [dq, dr] = AROUND[direction];
    return cellOf({ q: q + dq, r: r + dr });
  }

  explore(trial: Trial | null): void {
    this.trial = trial;
    this.show(this.session.player.turn, null);
    this.session.changed(true);
    void this.evaluate();
  }

  /** Asks the judge about the position on the analysis board, one at a time, until it is the one that is evaluated. */
  private async evaluate(): Promise<void> {
    const { analysis } = this;
    if (this.evaluating || !analysis?.judges || analysis.running) return;
    this.evaluating = true;
    for (
      let trial = this.trial;
      trial && trial.game.moves > 0 && trial.row.length === 0 && trial.evaluation === undefined;
      trial = this.trial
    ) {
      const { text, moves } = trial.game;
      trial.evaluations.set(text, await analysis.evaluate(text, moves).catch(() => null));
      this.session.changed(true);
    }
    this.evaluating = false;
  }

  press(cell: number): boolean {
    if (this.trial) {
      const problem = this.trial.place(coordOf(cell));
      if (problem) this.session.say(problem);
      this.explore(this.trial);
      return true;
    }
    return this.seat?.press(coordOf(cell)) ?? false;
  }

  get playing(): boolean {
    return this.trial !== null || (this.seat?.choosing ?? false);
  }

  key(key: string): boolean {
    const direction = { j: 1, k: -1 }[key.toLowerCase()];
    if (this.analysed && direction) return this.goToMistake(direction as 1 | -1);
    return this.seat?.key(key) ?? false;
  }

  private goToMistake(direction: 1 | -1): boolean {
    const { session, analysis } = this;
    const story = storyOf(session);
    const next = story && analysis?.next(story.at(session.player.turn).move, direction);
    if (next) session.goTo(story.turnOf(next.move));
    else session.say(direction > 0 ? "No later mistake." : "No earlier mistake.");
    return true;
  }

  pointed(): void {
    this.seat?.showChoice();
  }

  sit(ticket: Ticket): void {
    this.session.present(this);
    this.seat?.leave();
    this.seat = new Seat(this.session, this.board, ticket);
    this.session.changed(true);
  }

  join(match: string, token: string): void {
    this.sit({ game: match, side: null, token, key: newKey() });
  }

  get joined(): string {
    return this.seat?.over === "" ? this.seat.game : "";
  }

  /** Takes the seat that the address invites to, or the one that this tab had before it was loaded again. */
  restore(hash: string): void {
    const invited = invitation(hash);
    // The token is a secret, so it must not stay in the address.
    if (invited) history.replaceState(null, "", ROOT);
    const ticket = invited ?? keptTicket();
    if (ticket) this.sit(ticket);
  }

  inspect(cell: number): Facts[] {
    const story = storyOf(this.session);
    if (!story || cell < 0 || this.trial || (this.playing && !this.session.cursor)) return [];
    const { turn } = this.session.player;
    const at = coordOf(cell);
    const pairs: [string, string][] = [["place", `q ${coordinate(at.q)}, r ${coordinate(at.r)}`]];
    const { pieces } = story.at(turn);
    const index = story.pieces.findIndex((p) => p.q === at.q && p.r === at.r);
    if (index >= 0 && index < pieces) {
      const { p } = story.pieces[index];
      const made = story.positions.find((x) => x.pieces > index)!;
      pairs.push(["placed", made.move > 0 ? `move ${made.move}` : "at the start"]);
      return [
        {
          title: `${p === "x" ? "Cross" : "Circle"} of ${nameOf(this.session, SIDES.indexOf(p))}`,
          slot: slotOfSide(p),
          pairs,
        },
      ];
    }
    let nearest = Infinity;
    for (let i = 0; i < pieces; i++) nearest = Math.min(nearest, distance(at, story.pieces[i]));
    pairs.push(["nearest piece", `${nearest} away`]);
    pairs.push([
      "allowed",
      nearest <= story.rules.view_distance
        ? "yes"
        : `no, at most ${story.rules.view_distance} away`,
    ]);
    return [{ title: "Empty cell", slot: null, pairs }];
  }

  headline(): string {
    const p = storyOf(this.session)?.at(this.session.player.turn);
    return p ? stateText(this.session, p) : "";
  }

  boardName(): string {
    const { player } = this.session;
    const p = storyOf(this.session)?.at(player.turn);
    if (!p) return "Board";
    return `Board at ${turnName(player.turn)}, move ${p.move}: ${stateText(this.session, p)}`;
  }

  describeAction(action: Action): string {
    return describeMove(action);
  }

  drawTrack(c: CanvasRenderingContext2D, x: (turn: number) => number, track: Track): void {
    drawTrack(c, this.session, x, track);
  }
}

function Title({ session }: { session: Session }) {
  const rules = storyOf(session)?.rules;
  if (!rules) return null;
  return (
    <p class="title">
      <b>{viewOf(session).title}</b>
      <span>{inWords(rules.win_distance)} in a row</span>
      <span>view {rules.view_distance}</span>
      <span>{timeText(session, rules.clock)}</span>
      <PlayedOn session={session} />
    </p>
  );
}
