// The shape of a seat as its game draws it: in a lobby it is filled when it is taken.

import type { Page } from "../core/page.ts";
import { paintOf } from "../core/theme.ts";
import { Glyph } from "./icons.tsx";

export function SeatGlyph({
  session,
  slot,
  taken,
  size,
}: {
  session: Page;
  slot: number;
  taken: boolean;
  size: number;
}) {
  const { theme, game } = session;
  const symbol = game.symbols?.[slot];
  if (!symbol)
    return (
      <Glyph
        theme={theme}
        slot={slot}
        size={size}
        kind={taken ? "sticker" : "hollow"}
        ink={theme.text3}
      />
    );
  return (
    <svg class="glyph" width={size} height={size} viewBox="-.62 -.62 1.24 1.24" aria-hidden="true">
      <path
        d={symbol}
        fill="none"
        stroke={taken ? paintOf(theme, slot).line : theme.text3}
        stroke-width={taken ? 0.21 : 0.12}
        stroke-linecap="round"
      />
    </svg>
  );
}
