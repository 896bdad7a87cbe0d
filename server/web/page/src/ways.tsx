// Three ways on for somebody who sees the page for the first time.

import { useState } from "preact/hooks";
import { Icon } from "./icons.tsx";
import type { Session } from "./session.ts";

export function Ways({ session }: { session: Session }) {
  const [how, showHow] = useState(false);
  return (
    <>
      <div class="ways">
        <article>
          <Icon name="code" size={24} />
          <h2>Write a bot here</h2>
          {session.house.may("join") ? (
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
          <a class="button" href="/api/starter" download="my_bot.py" title="my_bot.py">Download</a>
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

/** The command and the address, as exactly as they are known. */
function Class({ session }: { session: Session }) {
  const { address, url } = session.house;
  const host = address.replace(/:\d+$/, "");
  return (
    <ol class="how">
      <li>On this machine: <code>hexarena serve --map snowflake</code></li>
      <li>Everybody opens <code>{url || "http://THIS-MACHINE:4242/"}</code> and takes the starter.</li>
      <li>Everybody joins: <code>python3 my_bot.py {host || "THIS-MACHINE"} 4242</code></li>
      <li>When all seats are taken that you want, start it on this page. Press P on the projector.</li>
    </ol>
  );
}
