// Bots that were written in the page before they used the JavaScript kit.

const BEFORE = `// This bot has the form of earlier versions. These lines and those at its end let it play.
Object.assign(globalThis, require("./hexarena.js"), {
  game: {},
  explosion: (board, bomb, range) =>
    [key(bomb), ...Object.keys(DIRECTIONS).flatMap((direction) => ray(bomb, direction, range, board).map(key))],
});
`;

const AFTER = `
run(class {
  constructor(match) {
    this.match = match;
    game = {
      player_id: match.playerId, nb_players: match.nbPlayers, nb_special_players: match.nbSpecialPlayers,
      nb_turns_max: match.nbTurnsMax, initial_game_state: match.initialGameState,
    };
  }
  turn(state) {
    return turn(state, this.match.playerId);
  }
});
`;

/** Returns a bot that is a function turn(state, me) with helpers as globals in today's form; other code as it is. */
export function modernize(code: string): string {
  const old = /\bturn\b/.test(code) && !/["']\.\/hexarena(\.js)?["']/.test(code);
  return old ? `${BEFORE}\n${code}\n${AFTER}` : code;
}
