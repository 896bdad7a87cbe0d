// A bot in TypeScript that uses all of the kit's types: npm run check.

import {
  type Action,
  blast,
  type Bot,
  type Coord,
  type Direction,
  DIRECTIONS,
  distance,
  firstStep,
  key,
  type Match,
  minus,
  neighbour,
  ray,
  run,
  Session,
  type Side,
  type State,
  type TicTacToeState,
} from "../../../../../bots/kits/javascript/hexarena.js";

class Painter implements Bot {
  constructor(private readonly match: Match) {}

  turn(state: State): Action[] {
    const board = new Map(state.cells.map((cell) => [key(cell), cell]));
    const { debug } = this.match;
    debug.values.left = this.match.timeLeft();
    debug.values.dangerous = minus(new Set(board.keys()), blast({ q: 0, r: 0 }, 3, board)).size;
    debug.cells.push({ q: 0, r: 0, color: "red" });
    return state.characters.map(({ id, q, r }): Action => {
      const direction: Direction | null = firstStep({ q, r }, board, board, 3);
      if (direction === null) return { id, movement: "bomb", bomb_range: 2, bomb_delay: 2 };
      const cells: Coord[] = [
        neighbour({ q, r }, direction),
        ...ray({ q, r }, direction, 3, board),
      ];
      debug.text += `${cells.length} ${distance(cells[0], { q, r })} ${DIRECTIONS[direction][0]}`;
      return { id, movement: "move", direction };
    });
  }
}

class Thinker implements Bot<TicTacToeState, { pieces: Coord[] }> {
  private side: Side = "x";

  async turn(state: TicTacToeState) {
    return state.to_move === this.side ? [{ pieces: [{ q: 1, r: 0 }] }] : [];
  }

  end(_: TicTacToeState, winner: number): void {
    this.side = winner === 0 ? "x" : "o";
  }
}

class Watcher {
  constructor(readonly match: Match<{ score: number[] }>) {}

  turn(state: { score: number[] }) {
    return state.score.length > this.match.playersInfo.length ? [] : [this.match.random()];
  }
}

void run(Painter, {
  host: "example.org",
  port: 4242,
  name: "painter",
  token: "secret",
  stay: true,
  tls: true,
});
void run(Thinker);
void run(Watcher, { role: "visualization" });
void new Session(Painter, { seed: 7 })
  .receive({ message_type: "KICK" })
  .then((answer) => answer?.toString());

// @ts-expect-error A bot has a method turn.
void run(class {});
// @ts-expect-error There is no such direction.
neighbour({ q: 0, r: 0 }, "up");
