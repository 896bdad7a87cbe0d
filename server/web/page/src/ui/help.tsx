// The dialog that lists all keys, and what the signs mean.

import { useState } from "preact/hooks";
import type { EventKind } from "../core/events.ts";
import type { Session } from "../core/session.ts";
import STYLES from "sheet:signs.css";
import { adopt } from "./lazy.tsx";
import { Modal } from "./modal.tsx";
import { Sign } from "./sign.tsx";
import { Tabs } from "./tabs.tsx";
import { drawTick } from "./timeline.tsx";

adopt(STYLES);

/** The ticks of events; those of the same form are told together. */
const TICKS: readonly (readonly [EventKind, string])[] = [
  ["lead", "a player takes the lead, or the match ends"],
  ["chain", "bombs set off one another"],
  ["swing", "the evaluation jumps"],
  ["death", "characters die"],
  ["skip", "a bot skips the turn or leaves"],
  ["refused", "actions are refused; shown with the filter Refused"],
];

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
  ["H", "a character of the followed player in the middle"],
  ["C", "coordinates"],
  ["M", "marks"],
  ["G", "overlay of a bot"],
  ["D", "dark, light"],
  ["F", "full screen"],
  ["P", "projector"],
  ["S", "share this turn"],
  ["T", "take over: play on from this turn"],
  ["K", "keep this turn and compare others with it"],
  ["Enter", "cell cursor on the board"],
  ["Esc", "close"],
];

type Topic = "keys" | "signs";
const TOPICS: readonly (readonly [Topic, string])[] = [
  ["keys", "Keys"],
  ["signs", "Signs"],
];

export function Help({ session }: { session: Session }) {
  const [topic, choose] = useState<Topic>("keys");
  return (
    <Modal session={session} look="keys help" title={topic === "keys" ? "Keys" : "Signs"}>
      <Tabs label="Help" options={TOPICS} value={topic} onSelect={choose} />
      {topic === "keys" ? (
        <dl>
          {KEYS.map(([key, does]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <Signs session={session} />
      )}
    </Modal>
  );
}

function Signs({ session }: { session: Session }) {
  const { Signs: OnTheBoard } = session.views.find((v) => v.board === session.board)!.parts;
  return (
    <div class="signs" tabIndex={0}>
      {OnTheBoard && <OnTheBoard />}
      <h3>On the timeline</h3>
      <ul>
        {TICKS.map(([kind, means]) => (
          <Sign
            key={kind}
            means={means}
            draw={(c, size) => {
              c.translate(size / 2, size / 2 - 10);
              drawTick(
                c,
                session,
                { turn: 0, kind, player: session.store.seats[0]?.id ?? -1, what: "", detail: "" },
                0,
              );
            }}
            theme={session.theme}
          />
        ))}
      </ul>
    </div>
  );
}
