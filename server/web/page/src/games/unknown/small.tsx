// A small board of a game that is drawn by its description: the colours of cells, and its pieces.

import { hexagon } from "../../core/canvas.ts";
import type { SmallProps } from "../../core/gameview.ts";
import type { Session } from "../../core/session.ts";
import { paintOf } from "../../core/theme.ts";
import { SmallCanvas } from "../../ui/smallcanvas.tsx";
import { SceneBoard } from "./board.ts";
import { storyOf } from "./match.ts";
import type { Item } from "./scene.ts";

/** The radius of a piece, in cell radii. */
const PIECE = 0.5;

export function Small({ session, turn, width, height }: SmallProps & { session: Session }) {
  const { board, theme } = session;
  const scene = storyOf(session)?.scene(turn);
  if (!scene || !(board instanceof SceneBoard)) return null;
  const { grid, flat } = board;
  const paint = ({ player, css }: Item, otherwise: string, part: "fill" | "body") => {
    const slot = board.slotOf(player);
    return slot !== null ? paintOf(theme, slot)[part] : css || otherwise;
  };
  return (
    <SmallCanvas
      width={width}
      height={height}
      bounds={grid.bounds}
      keys={[storyOf(session), turn, grid, theme]}
      draw={(c) => {
        const each = (items: readonly Item[], draw: (item: Item, x: number, y: number) => void) =>
          items
            .map((item) => [item, grid.at(item.q, item.r)] as const)
            .filter(([, cell]) => cell >= 0)
            .forEach(([item, cell]) => draw(item, grid.x[cell], grid.y[cell]));
        each(scene.cells, (cell, x, y) => {
          hexagon(c, x, y, 0.955, flat);
          c.fillStyle = paint(cell, theme.freeFill, "fill");
          c.fill();
        });
        each(scene.pieces, (piece, x, y) => {
          c.beginPath();
          c.arc(x, y, PIECE, 0, 2 * Math.PI);
          c.fillStyle = paint(piece, theme.text3, "body");
          c.fill();
        });
      }}
    />
  );
}
