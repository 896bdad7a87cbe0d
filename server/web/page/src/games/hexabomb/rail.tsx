// The rail: the players' shares of the board, the leader at the bottom.

import type { Session } from "../../core/session.ts";
import { percent } from "../../core/text.ts";
import { paintOf, ringsOf } from "../../core/theme.ts";
import { Glyph } from "../../ui/icons.tsx";
import { storyOf } from "./story.ts";

/** From this share on there is room for a per cent sign. */
const ROOM_FOR_SIGN = 0.08;
/** The length in pixels that a number needs, and a shape with it, on an upright rail and on one that lies. */
const NUMBER = { upright: 22, lying: 62 };
const GLYPH = { upright: 54, lying: 26 };
const MARGINS = 40;
/** The length that each dark ring takes from it. */
const RING = 8;

/** The share of the board that a player holds, from 0 to 1. */
export interface Share {
  player: number;
  share: number;
}

/** Returns the shares of the board at a turn, the largest first, and the free share. */
export function shares(
  cells: number[][],
  size: number,
  turn: number,
): { held: Share[]; free: number } {
  const held = cells
    .map((line, player) => ({ player, share: size > 0 ? (line[turn] ?? 0) / size : 0 }))
    .filter((s) => s.share > 0)
    .sort((a, b) => b.share - a.share || a.player - b.player);
  return { held, free: Math.max(0, 1 - held.reduce((sum, s) => sum + s.share, 0)) };
}

export function Rail({ session }: { session: Session }) {
  const { store, player, theme } = session;
  const story = storyOf(session);
  if (!story) return null;
  const { held, free } = shares(story.chronicle.cells, story.grid.size, player.turn);
  const { view } = session.board;
  const orientation = view.leftInset > 0 ? "upright" : "lying";
  const length = (orientation === "upright" ? view.height : view.width) - MARGINS;
  return (
    <div
      class="rail"
      role="img"
      aria-label={`Share of the board: ${held.map((s) => `${store.seats[s.player].nickname} ${percent(s.share)}`).join(", ")}, free ${percent(free)}`}
    >
      <div class="free" style={{ flexGrow: free * 1000 }}>
        {free > ROOM_FOR_SIGN && (
          <span>
            {percent(free)}
            <br />
            free
          </span>
        )}
      </div>
      {held.reverse().map(({ player: id, share }) => {
        const slot = session.slot(id);
        const paint = paintOf(theme, slot);
        const room = share * length - RING * ringsOf(slot);
        return (
          <div
            key={id}
            class={`held rings${ringsOf(slot)}`}
            style={{
              flexGrow: share * 1000,
              background: paint.strong,
              borderColor: paint.line,
              color: paint.ink,
            }}
          >
            {room >= GLYPH[orientation] && (
              <Glyph theme={theme} slot={slot} size={30} kind="plain" />
            )}
            {room >= NUMBER[orientation] && (
              <b>{share >= ROOM_FOR_SIGN ? percent(share) : Math.round(share * 100)}</b>
            )}
          </div>
        );
      })}
    </div>
  );
}
