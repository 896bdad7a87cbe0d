// The turns that decided how a player stands: where it lost most, or won most if it leads.

import { count, list, ordinal } from "../../core/text.ts";
import type { Point } from "../../ui/report.tsx";
import { coverage } from "./blast.ts";
import type { Death } from "./chronicle.ts";
import type { BombStory } from "./story.ts";

const MOST_POINTS = 3;
/** Turns that are closer than this belong to one exchange of bombs: a bomb takes at most four turns to explode. */
const APART = 4;
/** What a death weighs in cells: the character paints no cell for three turns at least, and starts where it died. */
const DEATH = 4;
/** In sudden death, cells do not count: a death outweighs them all. */
const FINAL_DEATH = 1000;
/** Lighter turns are the usual give and take of cells. */
const LEAST = 4;
/** Fewer skipped turns in a row, or idle ones, cost less than what else happens. */
const LEAST_SKIPPED = 3;
const LEAST_IDLE = 10;
/** A lead in cells shows in the score after about this number of turns. */
const LATER = 20;

interface Candidate {
  turn: number;
  weight: number;
  /** Returns the sentence; only the heaviest candidates are told. */
  tell(): string;
}

/** Returns the three turns that weighed most for a player up to a turn, in their order. */
export function turningPoints(story: BombStory, player: number, until: number): Point[] {
  const wins = rank(story, player, until) === 1;
  const candidates = wins
    ? gains(story, player, until)
    : [...losses(story, player, until), ...absences(story, player, until)];
  const chosen: Candidate[] = [];
  for (const c of candidates.sort((a, b) => b.weight - a.weight || a.turn - b.turn)) {
    if (chosen.length < MOST_POINTS && chosen.every((o) => Math.abs(o.turn - c.turn) >= APART))
      chosen.push(c);
  }
  return chosen
    .sort((a, b) => a.turn - b.turn)
    .map((c) => ({
      turn: c.turn,
      what: c.tell(),
      detail: change(story, player, c.turn, until, wins),
    }));
}

/** Returns the rank of a player by its score. */
export function rank({ chronicle, seats }: BombStory, player: number, turn: number): number {
  const mine = chronicle.score[player][turn];
  return 1 + seats.filter((s) => !s.special && chronicle.score[s.id][turn] > mine).length;
}

/** Returns how the rank changed: "from 1st to 3rd by turn 73"; empty: it did not, or for the other reason. */
function change(
  story: BombStory,
  player: number,
  turn: number,
  until: number,
  better: boolean,
): string {
  const before = rank(story, player, Math.max(0, turn - 1));
  for (let t = turn; t <= Math.min(until, turn + LATER); t++) {
    const now = rank(story, player, t);
    if (better ? now < before : now > before)
      return `from ${ordinal(before)} to ${ordinal(now)}${t > turn ? ` by turn ${t}` : ""}`;
  }
  return "";
}

function weigh(story: BombStory, cells: number, deaths: number): number {
  return Math.max(0, cells) + (story.suddenDeath ? FINAL_DEATH : DEATH) * deaths;
}

function losses(story: BombStory, player: number, until: number): Candidate[] {
  const { cells, deaths } = story.chronicle;
  const found: Candidate[] = [];
  for (let turn = 1; turn <= until; turn++) {
    const lost = cells[player][turn - 1] - cells[player][turn];
    const dead = deaths.get(turn)?.filter((d) => d.player === player) ?? [];
    const weight = weigh(story, lost, dead.length);
    if (weight >= LEAST)
      found.push({ turn, weight, tell: () => loss(story, player, turn, lost, dead) });
  }
  return found;
}

function loss(
  story: BombStory,
  player: number,
  turn: number,
  cells: number,
  dead: Death[],
): string {
  const cellsLost = cells > 0 ? count(cells, "cell") : "";
  if (dead.length === 0) {
    const thief = story.seats[takers(story, player, turn)[0]]?.nickname;
    return `lost ${cellsLost}${thief ? `, most to ${thief}` : ""}`;
  }
  const who = dead.length === 1 ? `#${dead[0].character}` : count(dead.length, "character");
  return [`lost ${who}${cause(story, player, turn, dead)}`, cellsLost].filter(Boolean).join(", ");
}

/** Returns what the characters died of: " to its own chain of 4 bombs". */
function cause(story: BombStory, player: number, turn: number, dead: Death[]): string {
  const owners = [...new Set(dead.flatMap((d) => d.by))];
  if (owners.length === 0) return "";
  if (!owners.includes(player))
    return ` to ${list(owners.map((p) => story.seats[p]?.nickname ?? "unknown"))}`;
  const blasts = story.blasts(turn);
  const covered = coverage(blasts);
  const characters = story.frame(turn).characters;
  const chains = dead
    .flatMap(
      (d) =>
        covered.get(story.grid.at(characters[d.character].q, characters[d.character].r))?.by ?? [],
    )
    .filter((b) => b.color === player + 1);
  const longest = Math.max(
    1,
    ...chains.map((b) => blasts.filter((o) => o.chain === b.chain).length),
  );
  return longest > 1 ? ` to its own chain of ${longest} bombs` : " to its own bomb";
}

/** Returns the players that took cells of a player in a turn, the one that took most first. */
function takers(story: BombStory, player: number, turn: number): number[] {
  const before = story.frame(turn - 1).colors;
  const after = story.frame(turn).colors;
  const taken = new Map<number, number>();
  before.forEach((color, cell) => {
    const now = after[cell];
    if (color === player + 1 && now !== color && now > 0)
      taken.set(now - 1, (taken.get(now - 1) ?? 0) + 1);
  });
  return [...taken].sort((a, b) => b[1] - a[1]).map(([taker]) => taker);
}

function gains(story: BombStory, player: number, until: number): Candidate[] {
  const { cells, deaths } = story.chronicle;
  const found: Candidate[] = [];
  for (let turn = 1; turn <= until; turn++) {
    const won = cells[player][turn] - cells[player][turn - 1];
    const killed =
      deaths.get(turn)?.filter((d) => d.player !== player && d.by.includes(player)) ?? [];
    const weight = weigh(story, won, killed.length);
    if (weight >= LEAST) found.push({ turn, weight, tell: () => gain(story, won, killed) });
  }
  return found;
}

function gain(story: BombStory, cells: number, killed: Death[]): string {
  const victims = list(
    [...new Set(killed.map((d) => d.player))].map((p) => story.seats[p]?.nickname ?? "unknown"),
  );
  const parts = [
    killed.length > 0 ? `its bombs caught ${count(killed.length, "character")} of ${victims}` : "",
    cells > 0 ? `won ${count(cells, "cell")}` : "",
  ];
  return parts.filter(Boolean).join(", ");
}

/** Returns what a player lost by not acting: it left, skipped turns, or its characters stood still. */
function absences(story: BombStory, player: number, until: number): Candidate[] {
  const { answers, chronicle } = story;
  const found: Candidate[] = [];
  const gone = answers.goneSince[player];
  if (gone !== undefined && gone <= until) {
    found.push({
      turn: gone,
      weight: (until - gone) * chronicle.characters[player],
      tell: () => `${answers.ending(player, until) || "left the match"}; its cells stay`,
    });
  }
  for (const run of runs(answers.skipped[player].filter((t) => t <= until))) {
    if (run.length < LEAST_SKIPPED) continue;
    found.push({
      turn: run[0],
      weight: run.length * chronicle.characters[player],
      tell: () => `skipped ${run.length} turns in a row`,
    });
  }
  const idle = longestRest(story, player, gone ?? until);
  if (idle) found.push(idle);
  return found;
}

/** Returns the longest time in which characters of a player stood still, or null. */
function longestRest(story: BombStory, player: number, until: number): Candidate | null {
  const { idle: still } = story.chronicle;
  const mine = story
    .frame(0)
    .characters.filter((c) => c.color === player + 1)
    .map((c) => c.id);
  let most = { turn: 0, turns: 0, characters: 0 };
  for (let turn = 1; turn <= until; turn++) {
    const idle = mine.map((id) => still[turn]?.[id] ?? 0).filter((turns) => turns >= LEAST_IDLE);
    const turns = idle.length > 0 ? Math.min(...idle) : 0;
    if (turns * idle.length > most.turns * most.characters)
      most = { turn, turns, characters: idle.length };
  }
  const { turn, turns, characters } = most;
  if (characters === 0) return null;
  return {
    turn: turn - turns + 1,
    weight: turns * characters,
    tell: () => `${count(characters, "character")} idle for ${turns} turns`,
  };
}

/** Splits turns into those that follow one another. */
function runs(turns: readonly number[]): number[][] {
  const found: number[][] = [];
  for (const t of turns) {
    const last = found.at(-1);
    if (last && last.at(-1) === t - 1) last.push(t);
    else found.push([t]);
  }
  return found;
}
