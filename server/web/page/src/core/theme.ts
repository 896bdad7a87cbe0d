// Colours. The interface is grey; colours belong to players. Slot 0 is the first
// player, also beside a special player, who has the slot SPECTRE.

export type ThemeName = "dark" | "light";

/** The colours of a player: of its shape, of lines and text, of its cells, of its cells on a projector, and on its shape. */
export interface Paint {
  body: string;
  line: string;
  fill: string;
  strong: string;
  ink: string;
}

/** The colours of the page that canvases use; the style sheets have the same ones. */
export interface Theme {
  name: ThemeName;
  stage: string;
  freeFill: string;
  seam: string;
  rim: string;
  gap: string;
  text1: string;
  text2: string;
  text3: string;
  panel: string;
  raised: string;
  rule: string;
  accent: string;
  live: string;
  warning: string;
  bomb: string;
  core: string;
  flame: string;
  edge: string;
  spectre: Paint;
  players: Paint[];
}

/** The ink of each slot, in both themes. */
const INKS = [
  "#FFFFFF",
  "#14100A",
  "#04120E",
  "#FFFFFF",
  "#191500",
  "#160A26",
  "#14060A",
  "#04141A",
  "#07140A",
  "#FFFFFF",
  "#FFFFFF",
  "#1E0510",
];

function players(table: string): Paint[] {
  return table
    .trim()
    .split("\n")
    .map((row, i) => {
      const [body, line, fill, strong] = row.trim().split(" ");
      return { body, line, fill, strong, ink: INKS[i] };
    });
}

export const DARK: Theme = {
  name: "dark",
  stage: "#0F131B",
  freeFill: "#282E3A",
  seam: "#1F242E",
  rim: "#3A4356",
  gap: "#0B0E14",
  text1: "#F3F5F9",
  text2: "#AEB7C7",
  text3: "#828DA1",
  panel: "#141922",
  raised: "#1C222E",
  rule: "#2A3241",
  accent: "#FFFFFF",
  live: "#FF5D55",
  warning: "#FFB454",
  bomb: "#0A0C11",
  core: "#FFFBEF",
  flame: "#FFC65C",
  edge: "#FF7A3C",
  spectre: { body: "#F4F6FA", line: "#F4F6FA", fill: "#858EA1", strong: "#9AA3B6", ink: "#12161F" },
  players: players(`
    #4273E8 #6C97FF #254BAB #3460CD
    #F58A1F #FF9D3D #AE5700 #D37100
    #1FB899 #2FD3B2 #0A8A70 #009D81
    #B8347F #E0559F #8D1B60 #A2256D
    #F4DA4E #FFE869 #BD9F28 #D2B430
    #CFA3FF #DDBBFF #8E6AB4 #AF86DB
    #EB505B #FF6F78 #A92936 #D64855
    #71D7ED #8FE6FA #3C92A4 #55B5CA
    #74D55F #8CE877 #429230 #5AB546
    #B23A12 #DE5B2C #811E00 #9D2D02
    #4636C8 #7A6CF5 #301C97 #3C2AB4
    #FE90B5 #FFA9C6 #B35B79 #DA7598`),
};

export const LIGHT: Theme = {
  name: "light",
  stage: "#F1F3F7",
  freeFill: "#D3D8E1",
  seam: "#C3C9D4",
  rim: "#AEB6C5",
  gap: "#FFFFFF",
  text1: "#12161F",
  text2: "#475063",
  text3: "#5F697E",
  panel: "#FFFFFF",
  raised: "#F4F6F9",
  rule: "#D9DEE7",
  accent: "#12161F",
  live: "#C9241A",
  warning: "#A05700",
  bomb: "#161A22",
  core: "#FFFFFF",
  flame: "#FFB020",
  edge: "#D9380B",
  spectre: { body: "#FFFFFF", line: "#2B3140", fill: "#656D80", strong: "#7C8498", ink: "#12161F" },
  players: players(`
    #2F62DE #2450C4 #6A93E9 #426FDA
    #F08420 #B95A00 #F5AA73 #F29650
    #12A386 #08755F #72BDA8 #4DAF96
    #A92A72 #8E1E5E #C66F99 #B64E84
    #EFC931 #8C6A00 #F2D982 #F0D160
    #BB88F5 #7D46C8 #CDACF7 #C399F5
    #DC3F4C #B3202E #EB7F80 #E36165
    #43BEDB #0B7C99 #87D0E4 #68C6DF
    #52BD3C #2F7F1E #8BD07E #6FC65F
    #9C3310 #7A2408 #BC715C #AB5238
    #3A2BB0 #2A1E8F #6970C9 #4E4EBB
    #F47BA6 #B93468 #F9A3BF #F68FB1`),
};

export const SLOTS = 12;

/** The slot of the special player, who has no colour. */
export const SPECTRE = -1;

/** Returns the slot of a colour of the game, which counts from 1, special players first. */
export function slotOf(color: number, specials: number): number {
  return color <= specials ? SPECTRE : color - 1 - specials;
}

/**
 * Returns the number of dark rings inside a slot's shape and cells: colours and
 * shapes repeat after twelve. More than two rings cannot be told apart.
 */
export function ringsOf(slot: number): number {
  return slot === SPECTRE ? 0 : Math.min(2, Math.floor(slot / SLOTS));
}

/** The colour of the rings. */
export const RING = "#00000099";

/** Returns the colours of a slot. */
export function paintOf(theme: Theme, slot: number): Paint {
  return slot === SPECTRE ? theme.spectre : theme.players[slot % SLOTS];
}

/** The players' colours by name, in the order of their slots. */
const NAMES = [
  "blue",
  "orange",
  "teal",
  "magenta",
  "yellow",
  "violet",
  "red",
  "cyan",
  "green",
  "brown",
  "indigo",
  "pink",
];

/** Returns the #rrggbb of a colour as a bot names it; the accent if it is not a colour. */
export function colorOf(theme: Theme, name: string): string {
  const slot = NAMES.indexOf(name.toLowerCase());
  if (slot >= 0) return theme.players[slot].line;
  if (/^#[0-9a-f]{6}$/i.test(name)) return name;
  if (/^#[0-9a-f]{3}$/i.test(name)) return name.replace(/[0-9a-f]/gi, "$&$&");
  return theme.accent;
}

/** Mixes two #RRGGBB colours; share 0 is a, 1 is b. */
export function mix(a: string, b: string, share: number): string {
  const part = (s: string, i: number) => parseInt(s.slice(i, i + 2), 16);
  const channel = (i: number) => Math.round(part(a, i) + (part(b, i) - part(a, i)) * share);
  return `#${[1, 3, 5].map((i) => channel(i).toString(16).padStart(2, "0")).join("")}`;
}

/** Returns a #RRGGBB colour with an opacity from 0 to 1. */
export function fade(color: string, opacity: number): string {
  const alpha = Math.round(Math.max(0, Math.min(1, opacity)) * 255);
  return color + alpha.toString(16).padStart(2, "0");
}
