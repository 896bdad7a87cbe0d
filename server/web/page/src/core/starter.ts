// What a bot that is written in the page starts from.

export interface Starter {
  /** The first version of the bot. */
  readonly code: string;
  /** Returns what the bot finds as globals. Its text is sent to a worker, so it may refer to nothing outside itself. */
  readonly helpers: () => object;
}
