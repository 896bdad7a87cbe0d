// The match that the bot of this page can join.

import { at } from "./root.ts";

/** The match that a bot can join, or the reason why it cannot. */
export interface Found {
  match: string;
  /** Empty: the bot can join. */
  refusal: string;
  /** A match that follows may have a seat. */
  later: boolean;
  /** What this viewer may do to have another match played; null: nothing. */
  next: "again" | "restart" | null;
  /** What this viewer may do with the match. */
  may: readonly string[];
}

/** What is needed here of a match in the server's list. */
interface Listed {
  id: string;
  current: boolean;
  phase: string;
  may: string[];
  for_page: boolean;
}

/** Resolves to the match that a bot can join, which is the current one if shown is empty. The command plays one. */
export async function findMatch(shown: string, command: string): Promise<Found> {
  try {
    const response = await fetch(at("/api/matches"));
    const matches = (await response.json()) as Listed[];
    const found = matches.find((m) => (shown === "" ? m.current : m.id === shown));
    const may = found?.may ?? [];
    const next = found?.for_page
      ? ((["again", "restart"] as const).find((what) => may.includes(what)) ?? null)
      : null;
    return {
      match: found?.id ?? "",
      refusal: joinProblem(found, command),
      later: found?.for_page ?? true,
      next,
      may,
    };
  } catch {
    return {
      match: "",
      refusal: "The server cannot be reached.",
      later: true,
      next: null,
      may: [],
    };
  }
}

/** Resolves to the match that a player of this name plays; empty if there is none. */
export async function findPlayed(name: string): Promise<string> {
  try {
    const matches = (await (await fetch(at("/api/matches"))).json()) as (Listed & {
      players: { name: string }[];
    })[];
    return (
      matches.find((m) => m.phase === "playing" && m.players.some((p) => p.name === name))?.id ?? ""
    );
  } catch {
    return ""; // the page goes on showing what it shows
  }
}

/** Returns why no bot can join a match now; empty if one can. */
function joinProblem(match: Listed | undefined, command: string): string {
  if (!match) return `There is no match to join. Start one with “${command}”.`;
  if (match.may.includes("join")) return "";
  if (!match.for_page)
    return `This match has no seat for a bot of this page. Start one that has with “${command}”.`;
  return match.phase === "playing" ? "The match has already started." : "The match is over.";
}
