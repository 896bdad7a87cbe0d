// All keys.

import { useEffect, useRef } from "preact/hooks";
import type { Session } from "../core/session.ts";
import { Icon } from "./icons.tsx";

const KEYS: readonly (readonly [string, string])[] = [
  ["Space", "play, pause"],
  ["← →", "one turn"],
  ["Shift ← →", "ten turns"],
  ["Home", "first turn"],
  ["End, L", "go live, or to the last turn"],
  ["N B", "next, last event"],
  ["[ ]", "slower, faster"],
  ["1 – 9", "follow a player, 0 nobody"],
  ["+ −", "zoom"],
  ["Z", "fit the board"],
  ["C", "coordinates"],
  ["M", "marks"],
  ["G", "a bot's overlay"],
  ["D", "dark, light"],
  ["F", "full screen"],
  ["P", "projector"],
  ["S", "copy a link to this turn"],
  ["Enter", "cell cursor on the board"],
  ["Esc", "close"],
];

export function Help({ session }: { session: Session }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="keys" ref={dialog} aria-label="Keys" onClose={() => session.openDialog(null)}>
      <h2>Keys</h2>
      <dl>{KEYS.map(([key, does]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{does}</dd></div>)}</dl>
      <button class="close" aria-label="Close" onClick={() => session.openDialog(null)}><Icon name="close" /></button>
    </dialog>
  );
}
