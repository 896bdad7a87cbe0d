// The icons of controls and events, and the players' shapes as icons.

import type { EventKind } from "../core/events.ts";
import { ringsInside, shapeOf } from "../core/shape.ts";
import { paintOf, RING, SPECTRE, type Theme } from "../core/theme.ts";

const STROKES = {
  marks:
    "M4 4h6v6H4zM17 3.6l3.6 6.4h-7.2zM7 14l3.2 3.2L7 20.4l-3.2-3.2zM20 17.2a3 3 0 1 1-6 0 3 3 0 0 1 6 0z",
  coordinates: "M12 2.5l8.2 4.75v9.5L12 21.5l-8.2-4.75v-9.5zM12 9v6M9 12h6",
  dark: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z",
  light:
    "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  share: "M12 15V3.5M8 7l4-4 4 4M4.5 12v7.5h15V12",
  full: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  help: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM9.4 9.5a2.7 2.7 0 1 1 3.9 2.4c-.9.5-1.3 1-1.3 2M12 17.2v.1",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6z",
  first: "M12 5l-7 7 7 7M19 5l-7 7 7 7",
  back: "M17 5l-7 7 7 7M6 5v14",
  on: "M7 5l7 7-7 7M18 5v14",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M12 6.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM12 2.5v4M12 17.5v4M2.5 12h4M17.5 12h4",
  clock: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 7.5V12l3 2",
  unplug: "M9 3v5M15 3v5M6.5 8h11v3a5.5 5.5 0 0 1-11 0zM12 16.5V21",
  refused: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM6 18L18 6",
  wifi: "M3 9.5a13 13 0 0 1 18 0M6 13a8.6 8.6 0 0 1 12 0M9 16.4a4.3 4.3 0 0 1 6 0M12 19.7v.1",
  warning: "M12 4L2.5 20h19zM12 10v4.5M12 17.4v.1",
  more: "M5 11.2a.8.8 0 1 1 0 1.6.8.8 0 0 1 0-1.6zM12 11.2a.8.8 0 1 1 0 1.6.8.8 0 0 1 0-1.6zM19 11.2a.8.8 0 1 1 0 1.6.8.8 0 0 1 0-1.6z",
  check: "M5 12.5l4.5 4.5L19 7.5",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  pencil: "M4 20l1-4.5L16.5 4 20 7.5 8.5 19zM14 6.5l3.5 3.5",
  code: "M9 7l-5 5 5 5M15 7l5 5-5 5",
  download: "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 20h14",
  screen: "M3.5 5h17v11h-17zM12 16v4M8.5 20h7",
  film: "M4 5h16v14H4zM8 5v14M16 5v14M4 12h16",
  close: "M6 6l12 12M18 6L6 18",
  branch: "M4 12h6c5 0 4-6 10-6M10 12c5 0 4 6 10 6M17 3l3 3-3 3M17 15l3 3-3 3",
  compare: "M3.5 5h7v14h-7zM13.5 5h7v14h-7z",
  ranking: "M5 20V11M12 20V4M19 20v-6",
} as const;

export type IconName = keyof typeof STROKES | "play" | "pause" | "bomb" | "lastEvent" | "nextEvent";

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      {name === "play" ? (
        <path
          class="solid"
          d="M7 4.6v14.8a.8.8 0 0 0 1.2.7l12-7.4a.8.8 0 0 0 0-1.4l-12-7.4A.8.8 0 0 0 7 4.6z"
        />
      ) : name === "pause" ? (
        <path class="solid" d="M7 4h3.4v16H7zM13.6 4H17v16h-3.4z" />
      ) : name === "bomb" ? (
        <>
          <path class="solid" d="M10.5 6a8 8 0 1 1 0 16 8 8 0 0 1 0-16z" />
          <path d="M15.5 8.5l3-3q2-2 3.5 0" />
        </>
      ) : name === "lastEvent" ? (
        <>
          <path d="M19 5l-7 7 7 7" />
          <path class="solid" d="M6 7.8l4.2 4.2L6 16.2 1.8 12z" />
        </>
      ) : name === "nextEvent" ? (
        <>
          <path d="M5 5l7 7-7 7" />
          <path class="solid" d="M18 7.8l4.2 4.2-4.2 4.2-4.2-4.2z" />
        </>
      ) : (
        <path d={STROKES[name]} />
      )}
    </svg>
  );
}

/** A player's shape. plain: only the outline, for the rail. */
export function Glyph(props: {
  theme: Theme;
  slot: number;
  size: number;
  kind?: "sticker" | "plain" | "pip" | "hollow";
  ink?: string;
}) {
  const { theme, slot, size, kind = "sticker" } = props;
  const paint = paintOf(theme, slot);
  const rim = slot === SPECTRE ? "#12161F" : "#FFFFFF";
  return (
    <svg class="glyph" width={size} height={size} viewBox="-1.7 -1.7 3.4 3.4" aria-hidden="true">
      {kind === "sticker" && (
        <path
          d={shapeOf(slot)}
          fill={rim}
          stroke={rim}
          stroke-width="0.46"
          stroke-linejoin="round"
        />
      )}
      <path
        d={shapeOf(slot)}
        fill={kind === "sticker" || kind === "pip" ? paint.body : "none"}
        stroke={
          kind === "plain"
            ? (props.ink ?? paint.ink)
            : kind === "hollow"
              ? (props.ink ?? paint.line)
              : "none"
        }
        stroke-width={kind === "hollow" ? 0.34 : 0.26}
        stroke-linejoin="round"
      />
      {ringsInside(slot).map(({ scale, width }) => (
        <path
          key={scale}
          d={shapeOf(slot)}
          fill="none"
          stroke={kind === "hollow" ? (props.ink ?? paint.line) : RING}
          stroke-width={width}
          transform={`scale(${scale})`}
        />
      ))}
      {slot === SPECTRE && kind === "sticker" && (
        <path d="M-.36 -.5a.15 .2 0 1 0 .01 0zM.36 -.5a.15 .2 0 1 0 .01 0z" fill="#12161F" />
      )}
    </svg>
  );
}

/** The logo: three cells of three players in a larger one. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg class="logo" width={size} height={size} viewBox="-12 -12 24 24" aria-hidden="true">
      <path
        class="plate"
        d="M-1.3 -11.2a2.6 2.6 0 0 1 2.6 0l7.1 4.1a2.6 2.6 0 0 1 1.3 2.3v9.6a2.6 2.6 0 0 1-1.3 2.3l-7.1 4.1a2.6 2.6 0 0 1-2.6 0l-7.1-4.1a2.6 2.6 0 0 1-1.3-2.3v-9.6a2.6 2.6 0 0 1 1.3-2.3z"
      />
      <path fill="#1FB899" d="M0 -8.6L3.8 -6.4V-2L0 .2L-3.8 -2V-6.4z" />
      <path fill="#4273E8" d="M-4 -1.6L-.2 .6V5L-4 7.2L-7.8 5V.6z" />
      <path fill="#F58A1F" d="M4 -1.6L7.8 .6V5L4 7.2L.2 5V.6z" />
    </svg>
  );
}

/** The icon of an event's kind, in the colour of its player. */
export function EventIcon({
  kind,
  theme,
  slot,
  size = 18,
}: {
  kind: EventKind;
  theme: Theme;
  slot: number | null;
  size?: number;
}) {
  const line = slot === null ? theme.text2 : paintOf(theme, slot).line;
  switch (kind) {
    case "chain":
      return (
        <svg width={size} height={size} viewBox="-12 -12 24 24" aria-hidden="true">
          <path d={BURST} fill={theme.name === "dark" ? theme.flame : theme.edge} />
          <circle r="3.2" fill={theme.name === "dark" ? theme.edge : theme.flame} />
        </svg>
      );
    case "death":
    case "out":
      return (
        <svg width={size} height={size} viewBox="-1.6 -1.6 3.2 3.2" aria-hidden="true">
          <path
            d={shapeOf(slot ?? 0)}
            fill={kind === "out" ? line : "none"}
            fill-opacity="0.35"
            stroke={line}
            stroke-width="0.24"
            stroke-dasharray={kind === "out" ? undefined : "0.42 0.26"}
          />
          <path
            d="M-.4 -.4L.4 .4M.4 -.4L-.4 .4"
            stroke={line}
            stroke-width="0.24"
            stroke-linecap="round"
          />
        </svg>
      );
    case "swing":
      return (
        <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
          <path d="M12 5l8 14H4z" fill={line} />
        </svg>
      );
    case "lead":
    case "end":
      return (
        <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
          <path d="M6 3v18" stroke={theme.text2} stroke-width="2" stroke-linecap="round" />
          <path d="M7 4h12.5l-3.2 4.5 3.2 4.5H7z" fill={line} />
        </svg>
      );
    default:
      return (
        <svg
          class={`icon ${kind === "refused" ? "quiet" : "warn"}`}
          width={size}
          height={size}
          viewBox="0 0 24 24"
          aria-hidden="true"
        >
          <path d={STROKES[kind === "skip" ? "clock" : kind === "gone" ? "unplug" : "refused"]} />
        </svg>
      );
  }
}

/** A star of eight points, for chains. */
export const BURST =
  Array.from({ length: 16 }, (_, i) => {
    const angle = (Math.PI / 8) * i;
    const r = i % 2 ? 6.4 : 11;
    return `${i ? "L" : "M"}${(Math.sin(angle) * r).toFixed(2)} ${(-Math.cos(angle) * r).toFixed(2)}`;
  }).join("") + "Z";
