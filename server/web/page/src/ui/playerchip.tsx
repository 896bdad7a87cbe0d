// A player on a phone: a button that follows it.

import type { Session } from "../core/session.ts";
import { paintOf } from "../core/theme.ts";
import { Glyph } from "./icons.tsx";

export function PlayerChip(props: {
  session: Session;
  player: number;
  /** The accessible name. */
  label: string;
  /** The two lines of text. */
  text: string;
  detail: string;
  onFollow?: (chip: Element) => void;
}) {
  const { session, player } = props;
  const slot = session.slot(player);
  return (
    <button
      class="chip"
      aria-pressed={session.followed === player}
      aria-label={props.label}
      style={{ "--line": paintOf(session.theme, slot).line }}
      onClick={(e) => {
        session.follow(player);
        props.onFollow?.(e.currentTarget);
      }}
    >
      <Glyph theme={session.theme} slot={slot} size={32} />
      <span><b>{props.text}</b><small>{props.detail}</small></span>
    </button>
  );
}
