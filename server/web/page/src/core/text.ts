// Numbers and lists in words.

const THIN_SPACE = "\u2009";
const MINUS = "\u2212";

/** Returns 6450 as "6 450", and -3 with a true minus sign. */
export function number(n: number): string {
  const digits = String(Math.abs(Math.round(n))).replace(/\B(?=(\d{3})+$)/g, THIN_SPACE);
  return n < 0 ? MINUS + digits : digits;
}

/** Returns a number with its sign; 0 is "±0". */
export function signed(n: number): string {
  return n > 0 ? `+${number(n)}` : n < 0 ? number(n) : "±0";
}

/** Returns a number with its sign and two digits: "+0.25", "−0.30", "0.00". */
export function signedDecimal(n: number): string {
  const text = Math.abs(n).toFixed(2);
  return text === "0.00" ? text : (n < 0 ? MINUS : "+") + text;
}

/** Returns a share as "16 %". */
export function percent(share: number): string {
  return `${Math.round(share * 100)}${THIN_SPACE}%`;
}

/** Returns "1 bomb", "3 bombs". */
export function count(n: number, noun: string): string {
  return `${number(n)} ${noun}${n === 1 ? "" : "s"}`;
}

/** Returns "1st", "2nd", "11th". */
export function ordinal(n: number): string {
  const teen = n % 100 > 10 && n % 100 < 14;
  return `${number(n)}${(!teen && ["", "st", "nd", "rd"][n % 10]) || "th"}`;
}

/** Returns a coordinate with a true minus sign. */
export function coordinate(n: number): string {
  return n < 0 ? MINUS + -n : String(n);
}

/** Returns "a", "a and b", "a, b and c". */
export function list(words: string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** Returns a time such as "12 ms"; below one millisecond "< 1 ms". */
export function milliseconds(ms: number): string {
  if (ms > 0 && ms < 1) return `<${THIN_SPACE}1${THIN_SPACE}ms`;
  return `${number(ms)}${THIN_SPACE}ms`;
}

/** Returns a name without invisible characters that change the text around them: bidi and C1 controls. */
export function visible(name: string): string {
  return name.replace(/[\u0080-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}

/** Returns the name of a map, which may be given as the path of a file: "big" of "maps/big.json". */
export function mapName(map: string): string {
  return visible(map)
    .replace(/^.*[/\\]/, "")
    .replace(/\.json$/, "");
}

/** Cuts a text to a length. */
export function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
}
