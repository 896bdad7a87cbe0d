// What a phone has no room for in its bar and its controls, as a dialog.

import { MARKS, type Marks } from "../core/board.ts";
import { toggleFullScreen } from "../core/looks.ts";
import type { Page } from "../core/page.ts";
import { SPEEDS } from "../core/player.ts";
import { Modal } from "./modal.tsx";
import { Tabs } from "./tabs.tsx";

/** What the speeds are called, here and beside the timeline. */
export const SPEED_NAMES = { 0.5: "½×", 1: "1×", 2: "2×", 8: "8×" } as const;

const MARK_NAMES: Record<Marks, string> = {
  shapes: "Shapes",
  letters: "Letters",
  strong: "Strong",
  off: "Off",
};
const SHOWN = [
  ["yes", "Where there is room"],
  ["no", "Hidden"],
] as const;

/** Returns the dialog, with the whole page at hand. */
export function moreOf(page: Page) {
  return () => <More session={page} />;
}

function More({ session }: { session: Page }) {
  const { board, player, store, theme } = session;
  return (
    <Modal session={session} look="keys more" title="View">
      <dl>
        {store.start && (
          <div>
            <dt>Speed</dt>
            <dd>
              <Tabs
                label="Speed"
                options={SPEEDS.map((s) => [s, SPEED_NAMES[s]] as const)}
                value={player.speed as (typeof SPEEDS)[number]}
                onSelect={(s) => player.setSpeed(s)}
              />
            </dd>
          </div>
        )}
        <div>
          <dt>Marks</dt>
          <dd>
            <Tabs
              label="Marks"
              options={MARKS.map((m) => [m, MARK_NAMES[m]] as const)}
              value={board.marks}
              onSelect={(m) => session.looks.mark(m)}
            />
          </dd>
        </div>
        <div>
          <dt>Coordinates</dt>
          <dd>
            <Tabs
              label="Coordinates"
              options={SHOWN}
              value={board.coordinates ? "yes" : "no"}
              onSelect={(v) =>
                (v === "yes") !== board.coordinates && session.looks.toggleCoordinates()
              }
            />
          </dd>
        </div>
        <div>
          <dt>Theme</dt>
          <dd>
            <Tabs
              label="Theme"
              options={
                [
                  ["dark", "Dark"],
                  ["light", "Light"],
                ] as const
              }
              value={theme.name}
              onSelect={(name) => name !== theme.name && session.looks.toggleTheme()}
            />
          </dd>
        </div>
      </dl>
      {document.fullscreenEnabled && (
        <button class="button" onClick={() => toggleFullScreen()}>
          Full screen
        </button>
      )}
    </Modal>
  );
}
