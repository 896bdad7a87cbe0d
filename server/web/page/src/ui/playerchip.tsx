// A player on a phone: a button that follows it, or opens its card.

import { useEffect, useRef } from "preact/hooks";
import type { Session } from "../core/session.ts";
import { paintOf } from "../core/theme.ts";
import { Glyph } from "./icons.tsx";
import { reveal } from "./shownow.ts";

export function PlayerChip(props: {
  session: Session;
  player: number;
  /** The two lines of text. */
  text: string;
  detail: string;
  /** Opens the card of the player, where it can be followed. */
  onOpen?: (chip: Element) => void;
}) {
  const { session, player } = props;
  const slot = session.slot(player);
  const followed = session.followed === player;
  const chip = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (followed && chip.current) reveal(chip.current);
  }, [followed]);
  return (
    <button
      ref={chip}
      class={`chip ${followed ? "followed" : ""}`}
      aria-pressed={props.onOpen ? undefined : followed}
      aria-expanded={props.onOpen ? session.about?.player === player : undefined}
      style={{ "--line": paintOf(session.theme, slot).line }}
      onClick={(e) => (props.onOpen ? props.onOpen(e.currentTarget) : session.follow(player))}
    >
      <Glyph theme={session.theme} slot={slot} size={32} />
      <span>
        <b>{props.text}</b>
        <small>{props.detail}</small>
      </span>
    </button>
  );
}
