// What each character could have done in a turn, for a viewer who changes what one of them did. It is a chunk.

import { answerOf } from "../../core/botoutput.ts";
import type { Choice } from "../../core/gameview.ts";
import type { Session } from "../../core/session.ts";
import { type Action, actionsOf, describeAction, DIRECTION_NAMES } from "./actions.ts";
import type { Frame } from "./frame.ts";
import type { Character } from "./state.ts";
import { type BombStory, storyOf } from "./story.ts";

/** The ranges and delays of a player's bombs. */
const BOMBS = [2, 3, 4];

/** Returns the choices of all characters whose players answered the turn with a number of actions that is known. */
export function choicesOf(session: Session, turn: number): Choice[] {
  const { store } = session;
  const story = storyOf(session);
  if (!story || turn >= store.last) return [];
  const frame = story.frame(turn);
  return frame.characters.flatMap((c) => {
    const player = (c?.color ?? 0) - 1;
    const found = store.seats[player]?.special === false && answerOf(store, player, turn + 1);
    if (!found || found.answer.omitted) return [];
    const sent = actionsOf(found.answer);
    const rest = sent.filter(({ id }) => id !== c.id);
    const did = describe(sent.find(({ id }) => id === c.id));
    const others = possible(story, frame, c).map((action) => ({
      name: describe(action),
      actions: action ? [...rest, action] : rest,
    }));
    return [
      {
        player,
        piece: `#${c.id} of ${store.seats[player].nickname}`,
        did,
        others: others.filter(({ name }) => name !== did),
      },
    ];
  });
}

function describe(action: Action | undefined): string {
  return action ? describeAction(action) : "do nothing";
}

/** Returns what the rules allow a character in a position; undefined: nothing. Another one may still take a cell before it. */
function possible(
  { grid, suddenDeath }: BombStory,
  frame: Frame,
  { id, q, r, alive, bomb_count, revive_delay }: Character,
): (Action | undefined)[] {
  const here = grid.at(q, r);
  const taken = new Set([
    ...frame.bombs.map((b) => b.cell),
    ...frame.characters.filter((c) => c?.alive).map((c) => grid.at(c.q, c.r)),
  ]);
  if (!alive) {
    // All rules but the draft ignore the cell.
    const revive = { id, movement: "revive", revive_q: q, revive_r: r };
    return !suddenDeath && revive_delay === 0 && !taken.has(here)
      ? [undefined, revive]
      : [undefined];
  }
  const moves = Object.entries(DIRECTION_NAMES)
    .filter(([, step]) => {
      const to = grid.at(q + step.q, r + step.r);
      return to >= 0 && !taken.has(to);
    })
    .map(([direction]) => ({ id, movement: "move", direction }));
  const bombs =
    bomb_count === 0 || frame.bombs.some((b) => b.cell === here)
      ? []
      : BOMBS.flatMap((bomb_range) =>
          BOMBS.map((bomb_delay) => ({ id, movement: "bomb", bomb_range, bomb_delay })),
        );
  return [undefined, ...moves, ...bombs];
}
