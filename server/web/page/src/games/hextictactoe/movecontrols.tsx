// The controls of the player in this page.

import { useState } from "preact/hooks";
import type { Session } from "../../core/session.ts";
import { Icon } from "../../ui/icons.tsx";
import { Symbol } from "./cards.tsx";
import { mayRematch, NewGame, rematch } from "./newgame.tsx";
import type { Seat } from "./seat.ts";
import { sideName } from "./words.ts";

export function MoveControls({ session, seat }: { session: Session; seat: Seat }) {
  const { store, player } = session;
  const settled = seat.started || (seat.over !== "" && !seat.requested);
  if (settled && (store.start ?? store.lobby)?.id !== seat.game) return null;
  const behind = seat.asked && !player.following && player.turn < store.last;
  return (
    <div class="hand" role="group" aria-label="Your move">
      {seat.side && <Symbol theme={session.theme} side={seat.side} size={26} />}
      <span role="status">
        {statusText(seat, behind)}
        {seat.otherLost &&
          ` The other side's connection is lost; it ${seat.requested ? "has 30 seconds to reconnect" : "loses if it does not reconnect in time"}.`}
      </span>
      {behind && (
        <button class="button" onClick={() => player.follow()}>
          To the board
        </button>
      )}
      {seat.choosing && seat.chosen.length > 0 && (
        <button class="button" onClick={() => seat.takeBack()}>
          Take back
        </button>
      )}
      {seat.choosing && (
        <button class="button first" disabled={!seat.ready} onClick={() => seat.send()}>
          <Icon name="check" size={18} /> Send
        </button>
      )}
      {seat.started && seat.over === "" && !seat.lost && seat.chosen.length === 0 && (
        <Resign seat={seat} />
      )}
      {!seat.started && !seat.requested && seat.over === "" && (
        <button class="button" onClick={() => seat.leave()}>
          Leave
        </button>
      )}
      {seat.over !== "" && seat.started && !seat.requested && (
        <button class="button" onClick={() => session.watch("")}>
          To the next match
        </button>
      )}
      {seat.over !== "" && session.server.newGames && mayRematch() && (
        <button
          class="button first"
          title="The same opponent and clock, with the sides changed"
          onClick={() => void rematch(session)}
        >
          Rematch
        </button>
      )}
      {seat.over !== "" && session.server.newGames && (
        <button class="button" onClick={() => session.openDialog(NewGame)}>
          {seat.requested ? "Play again" : "Play another game"}
        </button>
      )}
    </div>
  );
}

/** A button that has to be pressed twice: the game cannot be continued afterwards. */
function Resign({ seat }: { seat: Seat }) {
  const [sure, ask] = useState(false);
  return (
    <button
      class="button"
      onClick={() => (sure ? seat.resign() : ask(true))}
      onBlur={() => ask(false)}
    >
      {sure ? "Resign now" : "Resign"}
    </button>
  );
}

function statusText(seat: Seat, behind: boolean): string {
  if (seat.over !== "") return seat.over;
  if (seat.lost) return "Your connection is lost. Reconnecting.";
  if (!seat.started)
    return seat.requested
      ? "Waiting for the other side."
      : "You have a seat. The match has not started yet.";
  if (behind) return "It is your move.";
  const side = seat.side ? sideName(seat.side) : "";
  if (!seat.choosing) return `You play ${side}. The other side is thinking.`;
  if (seat.ready) return seat.chosen.length === 1 ? "This piece wins." : "Two pieces chosen.";
  return seat.chosen.length === 1
    ? "Choose the second piece."
    : `You play ${side}: choose two pieces.`;
}
