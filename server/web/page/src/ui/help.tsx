// The dialog that lists all keys.

import type { Session } from "../core/session.ts";
import { Modal } from "./modal.tsx";

const KEYS: readonly (readonly [string, string])[] = [
  ["Space", "play, pause"],
  ["← → .", "one turn"],
  ["Shift ← →", "ten turns"],
  ["Home", "first turn"],
  ["End, L", "go live, or to the last turn"],
  ["N B", "next, previous event"],
  ["[ ]", "slower, faster"],
  ["1 – 9", "follow a player, 0: none"],
  ["+ −", "zoom"],
  ["Z", "fit the board"],
  ["C", "coordinates"],
  ["M", "marks"],
  ["G", "overlay of a bot"],
  ["D", "dark, light"],
  ["F", "full screen"],
  ["P", "projector"],
  ["S", "share this turn"],
  ["Enter", "cell cursor on the board"],
  ["Esc", "close"],
];

export function Help({ session }: { session: Session }) {
  return (
    <Modal session={session} look="keys" title="Keys">
      <dl>{KEYS.map(([key, does]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{does}</dd></div>)}</dl>
    </Modal>
  );
}
