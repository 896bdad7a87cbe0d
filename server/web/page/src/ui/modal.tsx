// A modal dialog with a title and a button to close it.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Session } from "../core/session.ts";
import { Icon } from "./icons.tsx";

/** look is the class of its styles. It is closed with session.openDialog(null). */
export function Modal({
  session,
  look,
  title,
  children,
}: {
  session: Session;
  look: string;
  title: string;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []); // at once: Escape may be the next key
  const close = () => session.openDialog(null);
  return (
    <dialog class={look} ref={dialog} aria-label={title} onClose={close}>
      <h2>{title}</h2>
      <button class="close" aria-label="Close" onClick={close}>
        <Icon name="close" />
      </button>
      {children}
    </dialog>
  );
}
