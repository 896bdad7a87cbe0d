// The rules on one screen, with drawn examples.

import type { Session } from "../../core/session.ts";
import { Examples } from "./examples.tsx";

export function Rules({ session }: { session: Session }) {
  return (
    <main class="page rules" tabIndex={0}>
      <h1>hexabomb in one minute</h1>
      <p>
        Bots move characters over a board of hexagons. A cell takes the colour of the character that
        steps on it. All bots answer each turn at the same time. The order in which their answers
        are applied is drawn by lot, or is that of their arrival.
      </p>
      <Examples theme={session.theme} />
      <dl>
        <div>
          <dt>Move</dt>
          <dd>
            One cell in one of six directions. Living characters and bombs block the way, also your
            own bomb once you have left its cell.
          </dd>
        </div>
        <div>
          <dt>Bomb</dt>
          <dd>
            Lies on the cell of the character that drops it, with a range and a delay of 2 to 4. It
            covers six straight lines, each up to the first hole, and sets off the bombs that it
            covers. Every tenth turn gives each character a bomb, two at most.
          </dd>
        </div>
        <div>
          <dt>Colour</dt>
          <dd>
            A covered cell takes the colour of the closest bomb. If two colours are equally close,
            the cell becomes free: ×.
          </dd>
        </div>
        <div>
          <dt>Death</dt>
          <dd>
            A character on a covered cell dies. It may revive three turns later if its cell is free.
          </dd>
        </div>
        <div>
          <dt>Score</dt>
          <dd>
            Every turn adds the number of cells that a player holds. The highest score after the
            last turn wins.
          </dd>
        </div>
        <div>
          <dt>Draft rules</dt>
          <dd>
            With <code>--rules draft</code> characters drop any number of bombs, and revive on the
            cell that their bot names.
          </dd>
        </div>
        <div>
          <dt>Sudden death</dt>
          <dd>
            A special player, immune to bombs, hunts the others. Dead characters stay dead. The
            score is the last turn in which a player had a living character.
          </dd>
        </div>
      </dl>
    </main>
  );
}
