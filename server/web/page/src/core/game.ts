// A game as the page's list of games holds it.

import { type ComponentType, h } from "preact";
import type { AnswerLog } from "./answers.ts";
import type { StartEvent } from "./feed.ts";
import type { GameView, Part } from "./gameview.ts";
import type { Session } from "./session.ts";
import type { Story } from "./story.ts";

/** Adding a game to the page means adding one of these to games/registry.ts. */
export interface Game {
  /** The name that rules begin with: "NAME/VERSION". */
  readonly name: string;
  /** Reports whether a match of unknown rules that starts with this state can be shown as this game. */
  recognizes(state: unknown): boolean;
  /** Returns an empty story of a match; answers tells how its players answered. */
  story(start: StartEvent, answers: AnswerLog): Story;
  /** Returns the view of the game for a session, with its board in element. */
  view(session: Session, element: HTMLElement): GameView;
}

/** Reports whether rules such as "NAME/1", "NAME-VARIANT/1" or, in a lobby, "NAME" are those of the game with that name. */
export function areOf(rules: string, name: string): boolean {
  return rules === name || rules.startsWith(`${name}/`) || rules.startsWith(`${name}-`);
}

/** Returns the game that rules such as "NAME/1" name, or else the first that recognizes the state. */
export function gameOf(games: readonly Game[], rules: string, state?: unknown): Game {
  return games.find((g) => areOf(rules, g.name)) ?? games.find((g) => g.recognizes(state))!;
}

/** Returns components that need no session: each gets this one. */
export function bound<K extends string>(
  session: Session,
  parts: Record<K, ComponentType<any>>,
): Record<K, Part<any>> {
  const all = {} as Record<K, Part<any>>;
  for (const name in parts) all[name] = (props) => h(parts[name], { ...props, session });
  return all;
}
