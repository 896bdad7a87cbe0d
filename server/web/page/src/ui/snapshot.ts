// A picture of the board as it is on the screen.

import { FONT } from "../core/canvas.ts";
import type { Page } from "../core/page.ts";

/** The height of the line below the board, in CSS pixels, and the size of its text. */
const LINE = 40;
const TEXT = 15;

/** Returns a PNG of the board, with a title below it. */
export async function snapshot({ board, theme }: Page, title: string): Promise<Blob> {
  const screen = board.element.querySelector<HTMLCanvasElement>("canvas:not([hidden])")!;
  // The picture may reach beyond the stage, and may be on its way.
  const [stage, picture] = [board.element, screen].map((e) => e.getBoundingClientRect());
  const ratio = screen.width / Math.max(1, picture.width);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(stage.width * ratio);
  const height = Math.round(stage.height * ratio);
  canvas.height = height + Math.round(LINE * ratio);
  const c = canvas.getContext("2d")!;
  c.fillStyle = theme.stage;
  c.fillRect(0, 0, canvas.width, canvas.height);
  c.drawImage(screen, (picture.left - stage.left) * ratio, (picture.top - stage.top) * ratio);
  c.fillRect(0, height, canvas.width, canvas.height);
  c.scale(ratio, ratio);
  c.font = `700 ${TEXT}px ${FONT}`;
  c.textAlign = "center";
  c.textBaseline = "middle";
  c.fillStyle = theme.text1;
  c.fillText(title, board.view.width / 2, height / ratio + LINE / 2 - 6, board.view.width - 16);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw new Error("The browser cannot make a picture as large as this window.");
  return blob;
}

/** Has the browser save a file. */
export function save(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name.replace(/[\\/:*?"<>|]+/g, "-");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
