// A cup, as the server or an exported page has it.

/** An estimate with the interval that contains the truth with a confidence of 95 %. An end that results do not bound is left out. */
export interface Interval {
  value: number;
  low?: number | undefined;
  high?: number | undefined;
}

/** What decides the order of a Swiss contest. */
export interface Points {
  points: number;
  rests: number;
  buchholz: number;
  /** The score against bots with the same points and Buchholz, if all of them have met. */
  direct?: number;
}

/** A line of the standings. */
export interface Standing {
  rank: number;
  bot: string;
  matches: number;
  /** Those that it had in its matches, which may be more. */
  seats: number;
  points?: Points;
  /** The share of opponents beaten, ties half. */
  score: number;
  /** Left out if not all bots are compared, or nothing can be said yet. */
  elo?: Interval;
  /** "at least" or "at most": elo is a bound, the only end of its interval. */
  bound?: string;
  forfeits: Record<string, number>;
  refused_actions: number;
  /** Turns that it had to answer, and those of them that ended before it had, as far as that is known. */
  turns: number;
  skipped: number;
}

/** A value with half the width of its 95 % interval. */
export interface Estimate {
  value: number;
  error?: number;
}

/** How much a bot is above another one. */
export interface Comparison {
  bot: string;
  against: string;
  blocks: number;
  score: number;
  /** Left out if results say nothing about it. */
  elo?: Estimate;
  /** "at least" or "at most": elo is the only end of the interval, and has no error. */
  bound?: string;
  /** Both are left out unless results vary. los is the probability that the bot is better. */
  normalised_elo?: Estimate;
  los?: number;
}

/** The sequential test of a comparison, which ends when the ratio reaches a bound. */
export interface Test {
  normalised_elo0: number;
  normalised_elo1: number;
  log_ratio: number;
  lower: number;
  upper: number;
  verdict: "better" | "not better" | "equal" | "undecided";
  /** How many matches follow, with a probability; left out once the test has ended. */
  left?: { probability: number; least: number; most: number };
}

/** How a bot did against another one. */
export interface Meeting {
  bot: string;
  against: string;
  wins: number;
  ties: number;
  losses: number;
  score: number;
}

/** Failures of a bot that printed the same. */
export interface Failure {
  bot: string;
  kind: string;
  count: number;
  /** The number of the first match, and the turns that the bot answered in it. */
  first: number;
  turns: number;
  exit: string;
  printed: string[];
}

/** A line of a group, which counts the group stage only. */
export interface GroupBot {
  bot: string;
  matches: number;
  score: number;
  /** It is in the knock-out. */
  goes_on: boolean;
}

/** Where the standings come from. What is not known is empty. */
export interface Origin {
  version: string;
  commit: string;
  /** The digest of the plan. */
  plan: string;
  /** It plays the cup again. */
  command: string;
}

export interface Standings extends Origin {
  format: string;
  game: string;
  seats: number;
  matches: number;
  /** Matches; 0: no limit. */
  planned: number;
  blocks: number;
  /** A sentence: what Elo compares. */
  compares: string;
  bots: Standing[];
  comparisons?: Comparison[];
  test?: Test;
  /** The result as one sentence, of a comparison and of a contest that goes on until its leader is certain. */
  answer?: string;
  /** Of a contest that goes on until its leader is certain: the leader, with bots that are the same program. */
  until?: { confidence: number; best: string[]; certain: boolean };
  /** The best bot of each first. */
  groups?: { bots: GroupBot[] }[];
  meetings: Meeting[];
  by_map: { bot: string; map: string; score: number }[];
  by_seat: { bot: string; seat: number; score: number }[];
  errors: Failure[];
}

/** A match that can be seen. The lists are by seat. */
export interface Played {
  k: number;
  map: string;
  bots: string[];
  scores: number[];
  ranks: number[];
  forfeits: string[];
  /** A link. */
  replay: string;
}

export interface Scoreboard {
  name: string;
  /** Matches in all, as far as can be said; 0: not known. */
  expected: number;
  over: boolean;
  /** Matches a second; 0: not known. */
  rate: number;
  /** Matches that can be seen. */
  recorded: number;
  /** All of them, the last one first, in an exported page. */
  matches?: Played[];
  /** Links to the first matches of errors, by their numbers. */
  replays: Record<number, string>;
  standings: Standings;
}

/** Two bots of which one is chosen in the cross-table. */
export interface Pair {
  bot: string;
  against: string;
}
