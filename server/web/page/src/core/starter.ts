// What a bot to begin with is: in the page's editor, and from the server.

import type { BotTypes } from "./documentation.ts";

/** The starter of one game. The server hands out another one, in Python. */
export interface Starter {
  /** The first version of the bot that is written in the page. */
  readonly code: string;
  /** Returns code of the form that the page's bots had before the kit in today's form; other code is returned as it is. */
  readonly modernize?: (code: string) => string;
  /** The types of its states and actions in the JavaScript kit. */
  readonly types: BotTypes;
  /** The option of commands that chooses the game; empty: it is the one by default. */
  readonly option: string;
  /** A built-in bot to play against. */
  readonly opponent: string;
  /** The options for a match of a whole class, if the game has that many seats. */
  readonly class?: string;
}

/** Returns the command that plays a match of a seat against the starter's opponent. */
export function playCommand({ option, opponent }: Starter, seat: string): string {
  return ["hexarena play", option, seat, opponent].filter(Boolean).join(" ");
}
