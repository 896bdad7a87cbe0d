// Copies text to the clipboard and tells the viewer.

import type { Session } from "./session.ts";

/** Copies text, and says "WHAT copied." or, if the browser refuses, what to do instead. Reports whether it copied. */
export async function copy(
  session: Session,
  what: string,
  text: string,
  instead = "Select the text to copy it.",
): Promise<boolean> {
  const { clipboard } = navigator as { clipboard?: Clipboard };
  const copied = clipboard
    ? await clipboard.writeText(text).then(
        () => true,
        () => copySelected(text),
      )
    : copySelected(text);
  session.say(
    copied ? `${what} copied.` : `The browser does not allow this page to copy. ${instead}`,
  );
  return copied;
}

/** Copies as if the viewer had selected the text: pages over plain HTTP, as in a classroom, have no other way. */
function copySelected(text: string): boolean {
  const place = document.createElement("span");
  place.className = "unseen";
  place.textContent = text;
  place.oncopy = (e) => {
    e.clipboardData?.setData("text/plain", text);
    e.preventDefault();
  };
  // Text outside of an open dialog cannot be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(place);
  const selection = getSelection();
  selection?.selectAllChildren(place);
  const copied = document.execCommand("copy");
  selection?.removeAllRanges();
  place.remove();
  return copied;
}
