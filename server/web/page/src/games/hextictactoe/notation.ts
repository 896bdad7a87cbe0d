// The game in the HTTTX notation: tags, then the moves from circle's first one on. The
// cross of the start is not a move.

import type { GameStory } from "./story.ts";

/** Replacements for characters that have a meaning in the notation. */
const SAFE: Record<string, string> = { "[": "(", "]": ")", "\n": " ", "\r": " ", "\t": " " };

/** Returns the game in the notation; players are those of cross and circle. */
export function notationOf(story: GameStory, players: readonly [string, string]): string {
  const { last } = story;
  const { clock } = story.rules;
  const tags: [string, string][] = [
    ["version", "1"],
    ["platform", "hexarena"],
    ["playercross", players[0]],
    ["playercircle", players[1]],
  ];
  if (clock.type === "incremental")
    tags.push(["timecontrol", `${clock.base_ms / 1000}+${clock.increment_ms / 1000}`]);
  if (last.status !== "in_progress") tags.push(["endreason", endReason(last.status, last.reason)]);
  if (last.status === "x_wins") tags.push(["winner", "cross"]);
  if (last.status === "o_wins") tags.push(["winner", "circle"]);
  const head = tags
    .map(([key, value]) => `${key}[${value.replace(/[[\]\n\r\t]/g, (c) => SAFE[c])}]`)
    .join("\n");
  const moves: string[] = [];
  let lying = story.positions[0].pieces;
  for (const p of story.positions) {
    if (p.pieces === lying) continue;
    moves.push(
      `${moves.length + 1}. ${story.pieces
        .slice(lying, p.pieces)
        .map((c) => `[${c.q},${c.r}]`)
        .join("")};\n`,
    );
    lying = p.pieces;
  }
  return `${head};\n${moves.join("")}`;
}

function endReason(status: string, reason: string): string {
  if (status === "draw") return "draw";
  if (reason === "forfeit: out of time") return "time";
  return reason.startsWith("forfeit: ") ? "resign" : "win";
}
