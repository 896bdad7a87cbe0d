// The versions of a bot that were run, with how they did, in localStorage.

/** How a run of a version ended. */
export interface Outcome {
  /** Among all players but special ones; ties share a rank. */
  rank: number;
  players: number;
  /** null: the game has none. */
  score: number | null;
}

export interface Version {
  /** From 1, in the order of the first runs. */
  number: number;
  /** When it was run first, in milliseconds since 1970. */
  at: number;
  code: string;
  /** Of its last runs, the newest last. */
  outcomes: Outcome[];
}

// Browsers give a site about five million characters of localStorage; versions of all games and the code itself
// have to fit. A starter has 3 000 characters: a lesson's forty versions fit.
const MOST_VERSIONS = 40;
const MOST_CHARACTERS = 500_000;
/** Enough to see how much luck there is. */
const MOST_OUTCOMES = 10;

export class Versions {
  /** The newest last. */
  readonly list: Version[];

  constructor(private readonly key: string) {
    this.list = read(key);
  }

  /** Adds the code as a version, unless there is one with the same code. */
  keep(code: string): Version {
    const same = this.list.find((v) => v.code === code);
    if (same) return same;
    const version = {
      number: (this.list.at(-1)?.number ?? 0) + 1,
      at: Date.now(),
      code,
      outcomes: [],
    };
    this.list.push(version);
    this.write();
    return version;
  }

  /** Adds how a run of a version ended. */
  add(version: Version, outcome: Outcome): void {
    version.outcomes = [...version.outcomes, outcome].slice(-MOST_OUTCOMES);
    this.write();
  }

  /** Writes as many of the newest versions as there is room for. */
  private write(): void {
    const size = () => this.list.reduce((sum, v) => sum + v.code.length, 0);
    while (this.list.length > MOST_VERSIONS || (this.list.length > 1 && size() > MOST_CHARACTERS))
      this.list.shift();
    for (let from = 0; from <= this.list.length; from++) {
      try {
        return localStorage.setItem(this.key, JSON.stringify(this.list.slice(from)));
      } catch {
        // The browser has less room than most: the oldest are left out.
      }
    }
  }
}

function read(key: string): Version[] {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "[]") as Version[];
    return kept.filter(
      (v) => typeof v.code === "string" && Number.isFinite(v.number) && Array.isArray(v.outcomes),
    );
  } catch {
    return [];
  }
}
