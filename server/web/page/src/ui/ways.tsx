// Three ways on for somebody who sees the page for the first time.

import { useState } from "preact/hooks";
import type { Session } from "../core/session.ts";
import { Icon } from "./icons.tsx";
import { joinCommand, Starter } from "./joinin.tsx";

export function Ways({ session }: { session: Session }) {
  const [how, showHow] = useState(false);
  return (
    <>
      <div class="ways">
        <article>
          <Icon name="code" size={24} />
          <h2>Write a bot here</h2>
          {session.server.may("join") ? (
            <>
              <p>A starter in JavaScript plays in this tab within a minute.</p>
              <a class="button first" href="#edit">Open the editor</a>
            </>
          ) : (
            <p>The terminal starts a match that waits for it: <code>hexarena play page painter</code></p>
          )}
        </article>
        <article>
          <Icon name="download" size={24} />
          <h2>Take the starter</h2>
          <p>One Python file, no packages. Change it, and let it play.</p>
          <Starter />
        </article>
        <article>
          <Icon name="screen" size={24} />
          <h2>Host a class</h2>
          <p>Everybody's bot joins one match, and all watch it on the wall.</p>
          <button class="button" aria-expanded={how} onClick={() => showHow(!how)}>Show me how</button>
        </article>
      </div>
      {how && <Class session={session} />}
    </>
  );
}

/** Where a server that one is told to start takes bots. */
const PORT = "4242";

/** The commands and the addresses, as exactly as they are known. */
function Class({ session }: { session: Session }) {
  const { url, door } = session.server;
  // The server that shows this page is there already, and may take bots at another port.
  const port = door.port || PORT;
  const host = door.host || "THIS-MACHINE";
  return (
    <ol class="how">
      <li>On this machine: <code>hexarena serve --map snowflake --port {port}</code></li>
      <li>Everybody opens <code>{url || `http://${host}:${port}/`}</code> and takes the starter.</li>
      <li>Everybody joins: <code>{joinCommand(host, port)}</code></li>
      <li>When all seats are taken that you want, start it on this page. Press P on the projector.</li>
    </ol>
  );
}
