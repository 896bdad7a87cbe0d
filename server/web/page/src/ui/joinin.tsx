// How to join with a bot of one's own: the starter to download, and the command that
// connects it to this server.

import { useEffect } from "preact/hooks";
import { copy } from "../core/clipboard.ts";
import { areOf } from "../core/game.ts";
import type { Page } from "../core/page.ts";
import { ROOT } from "../core/root.ts";
import { Icon } from "./icons.tsx";

/** A command, which is broken over lines only between its words. */
export function Command({ text }: { text: string }) {
  return (
    <code>
      {text.split(" ").map((word, i) => (
        <>
          {i > 0 && " "}
          <span key={i}>{word}</span>
        </>
      ))}
    </code>
  );
}

/** Returns the command that joins a server from one's own machine, through the page's port. */
function joinCommand({ server }: Page): string {
  return `hexarena join ${server.url || `${location.origin}/`}${server.tokens ? "#token=TOKEN" : ""} my_bot.py`;
}

/** A command with a button that copies it. */
function Copied({ session, command }: { session: Page; command: string }) {
  return (
    <p class="line">
      <Command text={command} />
      <button
        class="switch"
        aria-label="Copy the command"
        title="Copy"
        onClick={() => void copy(session, "The command", command, "Select the text to copy it.")}
      >
        <Icon name="copy" size={18} />
      </button>
    </p>
  );
}

/** Offers the starter in each language. */
export function Starter({ session }: { session: Page }) {
  const {
    server,
    game: { name },
  } = session;
  useEffect(() => void server.loadKits(name), [name]);
  const { kit, kits } = server;
  const language = kit === kits[0] ? "" : `&language=${kit.language}`;
  return (
    <>
      {kits.length > 1 && (
        <select
          aria-label="Language of the starter"
          value={kit.language}
          onChange={(e) => server.choose(e.currentTarget.value)}
        >
          {kits.map((k) => (
            <option key={k.language} value={k.language}>
              {k.name}
            </option>
          ))}
        </select>
      )}{" "}
      <a
        class="button"
        href={`${ROOT}api/starter?game=${encodeURIComponent(name)}${language}`}
        download="my_bot.zip"
        title="my_bot.zip"
      >
        Download
      </a>
    </>
  );
}

/** Reports whether the starter plays the game on the stage, under its own name. */
export function hasStarter({ store, game }: Page): boolean {
  if (game.starter === undefined) return false;
  return store.start
    ? areOf(store.start.rules, game.name)
    : game.name === (store.lobby?.game ?? game.name);
}

/** short: without the starter, which stands elsewhere. */
export function JoinIn({ session, short = false }: { session: Page; short?: boolean }) {
  const { host, port } = session.server.botAddress;
  if (!hasStarter(session) || session.recording !== null || port === "") return null;
  const command =
    `${session.server.kit.command} ${host} ${port}` +
    (session.server.tokens ? " --token TOKEN" : "");
  return (
    <div class="joinin">
      {!short && (
        <p>
          The starter is a bot and a file that it uses. It needs no packages: unpack both into a
          folder.{" "}
          {session.store.start &&
            "It joins the next match, if there is one: a match that has started takes no new players."}
        </p>
      )}
      {!short && (
        <p class="line">
          <Starter session={session} /> <code>my_bot.zip</code>
        </p>
      )}
      <Copied session={session} command={command} />
      <p>With hexarena on your own machine, any netorcai bot joins through the page's port:</p>
      <Copied session={session} command={joinCommand(session)} />
    </div>
  );
}

/** The same below a match, folded. */
export function JoinLater({ session }: { session: Page }) {
  if (!hasStarter(session) || session.recording !== null || session.server.botAddress.port === "")
    return null;
  return (
    <details class="joinlater">
      <summary>Join with a bot of your own</summary>
      <JoinIn session={session} />
    </details>
  );
}
