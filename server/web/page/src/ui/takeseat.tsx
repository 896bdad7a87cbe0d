// The button with which the viewer takes a free seat, to play in person.

import { botToken, keepBotToken } from "../core/bottoken.ts";
import type { Page } from "../core/page.ts";
import type { Dialog } from "../core/session.ts";
import { Icon } from "./icons.tsx";
import { Modal } from "./modal.tsx";

/** Reports whether the viewer may play the match of the lobby, and does not yet. */
export function mayTakeSeat({ game, server, store }: Page): boolean {
  return game.join !== undefined && !game.joined && server.may("sit", store.lobby?.id);
}

export function TakeSeat({ session }: { session: Page }) {
  const take = () =>
    session.server.tokens ? session.openDialog(tokenOf(session)) : sit(session, "");
  return (
    <button class="button" onClick={take}>
      <Icon name="play" size={18} /> Play this seat
    </button>
  );
}

function sit({ game, store }: Page, token: string): void {
  game.join?.(store.lobby!.id, token);
}

/** Returns a dialog that asks for the player's token first. */
function tokenOf(page: Page): Dialog {
  return ({ session }) => {
    const take = (e: Event) => {
      e.preventDefault();
      session.openDialog(null);
      if (page.store.lobby) sit(page, botToken());
    };
    return (
      <Modal session={session} look="newgame" title="Play this seat">
        <form onSubmit={take}>
          <fieldset>
            <legend>Token</legend>
            <input
              type="password"
              maxLength={200}
              autocomplete="off"
              required
              autofocus
              aria-label="Token"
              defaultValue={botToken()}
              onInput={(e) => keepBotToken(e.currentTarget.value)}
            />
            <p class="aside">
              You get it from the server's operator. It is forgotten when this tab is closed.
            </p>
          </fieldset>
          <p class="acts">
            <button class="button first">Play</button>
          </p>
        </form>
      </Modal>
    );
  };
}
