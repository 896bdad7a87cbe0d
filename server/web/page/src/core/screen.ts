// What the screen of an event shows, as the server says it.

export interface ScreenTeam {
  number: number;
  name: string;
  /** From 1; equal teams share one; 0: it has played no match that counts. */
  rank: number;
  /** What the rank follows from: a rating or Elo points. */
  figure: string;
  matches: number;
  /** Its bot waits or plays. */
  here: boolean;
}

/** A match that can be shown: one that is played, or one that is over. */
export interface Show {
  /** The id of one that is played, else empty. */
  match: string;
  /** The file of one that is over, else empty. */
  recording: string;
  /** The numbers of the teams by seat; built-in bots have the seats behind them. */
  teams: number[];
}

/** A table of a stage of a final. */
export interface FinalTable {
  teams: string[];
  /** Two for each team beaten in each match, one for a tie. */
  points: number[];
  /** Matches that may be left. */
  left: number;
}

/** A final, as /event/final has it. */
export interface Final {
  best: number;
  stage: string;
  over: boolean;
  /** Once it is over: the teams of the last table, the best first. */
  places: string[];
  /** That it has reached. */
  stages: { name: string; tables: FinalTable[] }[];
  /** The tables of each stage that it has not reached. */
  later: number[];
}

export interface Screen {
  /** The name of the event. */
  name: string;
  message: string;
  /** Why no round begins; may be empty. */
  problem: string;
  /** The address to join; empty: other machines cannot reach any that is known. */
  join: string;
  code: string;
  /** Milliseconds until the next round; -1: it does not begin by time. */
  next: number;
  /** When it begins, if not by time. */
  when: string;
  ready: number;
  /** Milliseconds until versions freeze; -1: there is no deadline. */
  deadline: number;
  /** Versions are frozen. */
  frozen: boolean;
  /** What the teams are ordered by. */
  order: "rating" | "official" | "final";
  /** The best first. */
  teams: ScreenTeam[];
  /** As before the last round. */
  before: ScreenTeam[];
  /** The last one, from 1; 0: there was none. */
  round: number;
  /** Its matches, the one to show first first. */
  shows: Show[];
  /** null: none is played or has just ended. */
  final: Final | null;
  /** As before the last round. */
  final_before: Final | null;
}

/** Returns all teams of a final, those that came furthest first. */
export function finalists({ places, stages }: Final): { team: string; stage: string }[] {
  const list = places.map((team) => ({ team, stage: stages[stages.length - 1].name }));
  for (const { name, tables } of [...stages].reverse()) {
    for (const team of tables.flatMap((t) => t.teams))
      if (!list.some((other) => other.team === team)) list.push({ team, stage: name });
  }
  return list;
}

/** Returns the colours of the seats of a match: each team has its own all day, unless another one before it has the same. */
export function slotsOf(teams: number[], slots: number): number[] {
  const free = [...Array(slots).keys()];
  const taken = teams.map((team) => {
    const own = free.indexOf(team % slots);
    return own < 0 ? -1 : free.splice(own, 1)[0];
  });
  const seats = taken.map((slot) => (slot < 0 ? free.shift()! : slot));
  return [...seats, ...free.reverse()]; // built-in bots have the colours of the fewest teams
}
