// The functions that a bot of this game written in the page may use.

/** Its text is sent to the bot's worker, so it may refer to nothing outside itself. */
export function botHelpers() {
  type Cell = { q: number; r: number };
  type Piece = Cell & { p: string };
  const LINES = [[1, 0], [0, 1], [1, -1]];
  const key = (cell: Cell) => `${cell.q},${cell.r}`;
  const along = ({ q, r }: Cell, [dq, dr]: number[], steps: number): Cell => ({ q: q + steps * dq, r: r + steps * dr });
  const neighbours = (cell: Cell): Cell[] => LINES.flatMap((line) => [along(cell, line, 1), along(cell, line, -1)]);
  const distance = (a: Cell, b: Cell) => Math.max(Math.abs(a.q - b.q), Math.abs(a.r - b.r), Math.abs(a.q + a.r - b.q - b.r));
  /** Returns the rows of win cells that only one side has pieces in: the side, how many, and the empty cells. */
  const rows = (board: Map<string, Piece>, win: number): { p: string; pieces: number; empty: Cell[] }[] => {
    const found = new Map<string, { p: string; pieces: number; empty: Cell[] } | null>();
    for (const piece of board.values()) {
      LINES.forEach((line, name) => {
        for (let back = 0; back < win; back++) {
          const start = along(piece, line, -back);
          const row = `${name} ${key(start)}`;
          if (found.has(row)) continue;
          const cells = Array.from({ length: win }, (_, i) => along(start, line, i));
          const empty = cells.filter((cell) => !board.has(key(cell)));
          const blocked = cells.some((cell) => (board.get(key(cell))?.p ?? piece.p) !== piece.p);
          found.set(row, blocked ? null : { p: piece.p, pieces: win - empty.length, empty });
        }
      });
    }
    return [...found.values()].filter((row) => row !== null);
  };
  return { key, neighbours, distance, rows };
}
