// What is inside an exported page, which opens from disk without a server or a network.

/** A recording inside the page. */
export interface Embedded {
  name: string;
  /** When the match was played. */
  when: Date;
  /** Returns its events, one per line; rejects with a sentence for the viewer. */
  events(): Promise<string>;
}

/** Returns the recording inside this page, or null. */
export function findEmbedded(): Embedded | null {
  const element = document.getElementById("recording");
  if (!(element instanceof HTMLScriptElement)) return null;
  const { name = "", when = "" } = element.dataset;
  return { name, when: new Date(when), events: () => unpack(element.textContent ?? "") };
}

/** Returns the text of an element that holds it compressed by gzip, in base64; rejects with a sentence for the viewer. */
export async function unpack(text: string): Promise<string> {
  if (!("DecompressionStream" in window))
    throw new Error("This browser is too old to open this file: it cannot decompress gzip.");
  try {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const events = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return await new Response(events).text();
  } catch {
    throw new Error("This file is damaged: what is in it cannot be decompressed.");
  }
}
