// A match beside another one: with a board that is not on the stage, at a turn of its own.

import type { Game } from "./game.ts";
import { gameOf } from "./game.ts";
import { ALL, type Filter } from "./events.ts";
import type { GameView } from "./gameview.ts";
import type { Page } from "./page.ts";
import { Player } from "./player.ts";
import type { Session } from "./session.ts";
import type { Store } from "./store.ts";
import { slotOf } from "./theme.ts";

/** Shows a match of a store on its own board. What the viewer chooses is the page's. */
export class Beside implements Session {
  readonly views: readonly GameView[];
  readonly player: Player;
  readonly about = null;
  readonly embedded;
  readonly server;
  readonly tab = "match";
  readonly cell = -1;
  readonly cursor = false;
  readonly overlaid = false;
  readonly mine = -1;
  filter: Filter = ALL;
  measure = "";
  private readonly view: GameView;

  /** The match of the store must have begun. */
  constructor(
    private readonly page: Page,
    games: readonly Game[],
    readonly store: Store,
    readonly recording: string | null,
    element: HTMLElement,
  ) {
    this.embedded = page.embedded;
    this.server = page.server;
    const { rules, state } = store.start!;
    this.view = gameOf(games, rules, state).view(this, element);
    this.views = [this.view];
    this.player = new Player(
      store,
      () => this.view,
      () => {},
    );
    this.board.hide(false); // boards are hidden until their game is on a stage
    this.restyle();
    this.view.open?.();
  }

  get game(): GameView {
    return this.view;
  }

  get board() {
    return this.view.board;
  }

  get theme() {
    return this.page.theme;
  }

  get layers() {
    return this.page.layers;
  }

  get followed(): number {
    return this.page.followed;
  }

  /** The page's theme or marks have changed. */
  restyle(): void {
    const { theme, board } = this.page;
    Object.assign(this.board, { theme, marks: board.marks });
    this.board.restyle();
  }

  slot(player: number): number {
    return slotOf(player + 1, this.store.start!.specials);
  }

  goTo(turn: number): void {
    this.player.seek(turn);
  }

  shownEvents() {
    return this.store.events.filter((e) => this.filter.passes(e));
  }

  say(text: string): void {
    this.page.say(text);
  }

  changed(now?: boolean): void {
    this.page.changed(now);
  }

  // Nothing beside the stage acts on the server or on the stage.

  watch(): void {}
  async order(): Promise<void> {}
  present(): void {}
  follow(): void {}
  toggleOverlay(): void {}
  showCard(): void {}
  openDialog(): void {}
}
