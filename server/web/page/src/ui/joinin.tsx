// How to join with a bot of one's own: the starter to download, and the command that
// connects it to this server.

import { copy } from "../core/clipboard.ts";
import type { Page } from "../core/page.ts";
import { Icon } from "./icons.tsx";

/** Returns the command that connects the starter to a server. */
export function joinCommand(host: string, port: string): string {
  return `python3 my_bot.py ${host} ${port}`;
}

export function Starter({ game }: { game: string }) {
  return <a class="button" href={`/api/starter?game=${encodeURIComponent(game)}`} download="my_bot.zip" title="my_bot.zip">Download</a>;
}

/** Reports whether the starter plays the game on the stage, under its own name. */
export function hasStarter({ store, game }: Page): boolean {
  return game.starter !== undefined && game.name === (store.start?.rules.split("/")[0] ?? store.lobby?.game ?? game.name);
}

/** short: without the starter, which stands elsewhere. */
export function JoinIn({ session, short = false }: { session: Page; short?: boolean }) {
  const { host, port } = session.server.botAddress;
  if (!hasStarter(session) || session.recording !== null || port === "") return null;
  const command = joinCommand(host, port) + (session.server.tokens ? " --token TOKEN" : "");
  return (
    <div class="joinin">
      {!short && <p>The starter is a bot in Python and a file that it uses. It needs no packages: unpack both into a folder. {session.store.start && "It joins the next match, if there is one: a match that has started takes no new players."}</p>}
      {!short && <p class="line"><Starter game={session.game.name} /> <code>my_bot.zip</code></p>}
      <p class="line">
        <code>{command}</code>
        <button class="switch" aria-label="Copy the command" title="Copy" onClick={() => void copy(session, "The command", command, "Select the text to copy it.")}><Icon name="copy" size={18} /></button>
      </p>
    </div>
  );
}

/** The same below a match, folded. */
export function JoinLater({ session }: { session: Page }) {
  if (!hasStarter(session) || session.recording !== null || session.server.botAddress.port === "") return null;
  return (
    <details class="joinlater">
      <summary>Join with a bot of your own</summary>
      <JoinIn session={session} />
    </details>
  );
}
