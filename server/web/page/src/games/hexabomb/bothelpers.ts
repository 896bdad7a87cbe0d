// The functions that a bot written in the page may use.

/** Its text is sent to the bot's worker, so it may refer to nothing outside itself. */
export function botHelpers() {
  type Cell = { q: number; r: number };
  const DIRECTIONS: Record<string, [number, number]> = { "x+": [1, 0], "y+": [1, -1], "z+": [0, -1], "x-": [-1, 0], "y-": [-1, 1], "z-": [0, 1] };
  const key = (cell: Cell) => `${cell.q},${cell.r}`;
  const neighbour = (cell: Cell, direction: string): Cell => {
    const [q, r] = DIRECTIONS[direction];
    return { q: cell.q + q, r: cell.r + r };
  };
  const distance = (a: Cell, b: Cell) => Math.max(Math.abs(a.q - b.q), Math.abs(a.r - b.r), Math.abs(a.q + a.r - b.q - b.r));
  /** Returns the keys of the cells that a bomb covers: six lines, each up to the first missing cell. */
  const explosion = (board: { has(key: string): boolean }, bomb: Cell, range: number): string[] => {
    const covered = [key(bomb)];
    for (const direction in DIRECTIONS) {
      let cell = neighbour(bomb, direction);
      for (let i = 0; i < range && board.has(key(cell)); i++) {
        covered.push(key(cell));
        cell = neighbour(cell, direction);
      }
    }
    return covered;
  };
  /** Returns the direction to the nearest goal over free cells; null if none is within limit steps. */
  const firstStep = (from: Cell, free: Set<string>, goals: Set<string>, limit = 1000): string | null => {
    const turned = Math.floor(6 * Math.random()); // prefers no direction
    const names = Object.keys(DIRECTIONS).map((_, i, all) => all[(i + turned) % 6]);
    const queue: { cell: Cell; first: string; steps: number }[] = [{ cell: from, first: "", steps: 0 }];
    const seen = new Set([key(from)]);
    for (const { cell, first, steps } of queue) { // the loop appends to it
      if (first && goals.has(key(cell))) return first;
      if (steps >= limit) continue;
      for (const name of names) {
        const to = neighbour(cell, name);
        if (!free.has(key(to)) || seen.has(key(to))) continue;
        seen.add(key(to));
        queue.push({ cell: to, first: first || name, steps: steps + 1 });
      }
    }
    return null;
  };
  return { DIRECTIONS, key, neighbour, distance, explosion, firstStep };
}
