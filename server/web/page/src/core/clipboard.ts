// Puts text on the clipboard, and tells the viewer.

import type { Session } from "./session.ts";

/** Says "WHAT copied.", or what to do instead where the browser does not let a page copy; returns whether it did. */
export async function copy(session: Session, what: string, text: string, instead = "Select the text to copy it."): Promise<boolean> {
  const { clipboard } = navigator as { clipboard?: Clipboard };
  const copied = clipboard ? await clipboard.writeText(text).then(() => true, () => copySelected(text)) : copySelected(text);
  session.say(copied ? `${what} copied.` : `The browser does not let this page copy. ${instead}`);
  return copied;
}

/** As if the viewer had selected the text. Pages over plain HTTP, as in a class room, have no other way. */
function copySelected(text: string): boolean {
  const place = document.createElement("span");
  place.className = "unseen";
  place.textContent = text;
  place.oncopy = (e) => {
    e.clipboardData?.setData("text/plain", text);
    e.preventDefault();
  };
  // Nothing outside of an open dialog can be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(place);
  const selection = getSelection();
  selection?.selectAllChildren(place);
  const copied = document.execCommand("copy");
  selection?.removeAllRanges();
  place.remove();
  return copied;
}
