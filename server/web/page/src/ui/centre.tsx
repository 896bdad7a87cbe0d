// Buttons that keep one piece of the followed player in the middle of the board. They are a chunk.

import STYLES from "sheet:camera.css";
import type { Page } from "../core/page.ts";
import { coordinate } from "../core/text.ts";
import { centrePiece } from "./gestures.ts";
import { adopt } from "./lazy.tsx";

adopt(STYLES);

/** Players with more pieces choose the others with the key. */
const MOST = 6;

export function Centre({ session }: { session: Page }) {
  const { centrable = [], centred = -1 } = session.game;
  if (centrable.length === 0) return null;
  const shown = centrable.filter((piece, i) => i < MOST || piece === centred);
  return (
    <div class="centre" role="group" aria-label="Kept in the middle">
      <span title="Keeps a character in the middle (H)">Centre</span>
      {shown.map((piece) => (
        <button
          key={piece}
          aria-pressed={piece === centred}
          aria-label={`Keep number ${piece} in the middle`}
          title={`Number ${piece} in the middle`}
          onClick={() => centrePiece(session, piece === centred ? -1 : piece)}
        >
          #{coordinate(piece)}
        </button>
      ))}
    </div>
  );
}
