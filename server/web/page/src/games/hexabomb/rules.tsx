// One screen of rules, with drawn examples.

import type { Session } from "../../core/session.ts";
import { Examples } from "./examples.tsx";

export function Rules({ session }: { session: Session }) {
  return (
    <main class="page rules">
      <h1>hexabomb in one minute</h1>
      <p>
        Bots move characters over a board of hexagons. A cell takes the colour of whoever steps on it.
        All bots answer a turn at the same time; their actions apply in the order in which they arrive.
      </p>
      <Examples theme={session.theme} />
      <dl>
        <div><dt>Move</dt><dd>One cell in one of six directions. A living character or a bomb is in the way; one's own bomb, once left, too.</dd></div>
        <div><dt>Bomb</dt><dd>Lies where its character stands, with a range and a delay of 2 to 4. It covers six straight lines, each up to the first hole. A bomb that is covered goes off too.</dd></div>
        <div><dt>Colour</dt><dd>A covered cell takes the colour of the closest bomb. If two colours are as close, the cell turns free: ×.</dd></div>
        <div><dt>Death</dt><dd>Whoever stands on a covered cell is dead, and may revive three turns later if its cell is free. Every tenth turn gives each character a bomb, two at most.</dd></div>
        <div><dt>Score</dt><dd>Every turn adds the cells that one holds. The highest score after the last turn wins.</dd></div>
        <div><dt>Sudden death</dt><dd>A special player, whom no bomb harms, hunts the others. The dead stay dead. The score is the last turn in which one was alive.</dd></div>
      </dl>
    </main>
  );
}
