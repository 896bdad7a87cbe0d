// The page in a frame of another site: the board and the timeline. It has nothing that acts on the server, since the
// page around the frame could lead a viewer to press it unknowingly.

import type { Page } from "../core/page.ts";
import { Heading } from "./heading.tsx";
import { Logo } from "./icons.tsx";
import { Stage } from "./stage.tsx";
import { Timeline } from "./timeline.tsx";
import { Voice } from "./voice.tsx";

export function Framed({ session }: { session: Page }) {
  const { store, problem, reached, dialog: Dialog } = session;
  const { Table } = session.game.parts;
  const nothing = problem || (reached && !store.lobby ? "No match is being played." : "");
  return (
    <div class={`app framed ${store.start ? "playing" : store.lobby ? "gathering" : "idle"}`}>
      <Stage session={session} main inert={false}>
        <Heading session={session} />
        {store.start ? <Table /> : <p class="nothing">{nothing}</p>}
      </Stage>
      {store.start && <Timeline session={session} inert={false} />}
      <a
        class="source pill"
        href={session.link.href}
        target="_blank"
        rel="noopener"
        title="Open the whole page"
      >
        <Logo size={18} /> <b>hexarena</b>
      </a>
      {Dialog && <Dialog session={session} />}
      <Voice session={session} />
    </div>
  );
}
