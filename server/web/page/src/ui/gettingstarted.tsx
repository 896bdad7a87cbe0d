// Ways to start, for viewers who are new to the page.

import { useState } from "preact/hooks";
import type { Page } from "../core/page.ts";
import { playCommand } from "../core/starter.ts";
import { Icon } from "./icons.tsx";
import { Command, Starter } from "./joinin.tsx";

export function GettingStarted({ session }: { session: Page }) {
  const [how, showHow] = useState(false);
  const { starter } = session.game;
  if (!starter) return null;
  return (
    <>
      <div class="ways">
        <article>
          <Icon name="code" size={24} />
          <h2>Write a bot here</h2>
          {session.server.may("join") ? (
            <>
              <p>A starter in JavaScript plays in this tab within a minute.</p>
              <a class="button first" href="#edit">
                Open the editor
              </a>
            </>
          ) : (
            <p>
              Start a match that waits for it: <Command text={playCommand(starter, "page")} />
            </p>
          )}
        </article>
        <article>
          <Icon name="download" size={24} />
          <h2>Take the starter</h2>
          <p>A bot in your language, without packages. Change it and let it play.</p>
          <Starter session={session} />
        </article>
        {starter.class && (
          <article>
            <Icon name="screen" size={24} />
            <h2>Host a class</h2>
            <p>All bots join one match, and everyone watches it on the projector.</p>
            <button class="button" aria-expanded={how} onClick={() => showHow(!how)}>
              Show me how
            </button>
          </article>
        )}
      </div>
      {how && <HostSteps session={session} options={starter.class} />}
    </>
  );
}

/** The port in the command if the server's own is not known. */
const PORT = "4242";

/** The commands, with the addresses as far as they are known. */
function HostSteps({ session, options }: { session: Page; options?: string }) {
  const { url, botAddress } = session.server;
  // The server of this page may take bots at another port.
  const port = botAddress.port || PORT;
  const host = botAddress.host || "THIS-MACHINE";
  return (
    <ol class="how">
      <li>
        On this machine: <Command text={`hexarena serve ${options} --port ${port}`} />
      </li>
      <li>
        Everyone opens <code>{url || `http://${host}:${port}/`}</code> and downloads the starter.
      </li>
      <li>
        Everyone joins: <Command text={`${session.server.kit.command} ${host} ${port}`} />
      </li>
      <li>
        Start the match on this page when enough seats are taken. Press P for the projector view.
      </li>
      <li>
        For more bots than seats, or a whole day: <Command text="hexarena event" />
      </li>
    </ol>
  );
}
