// How the page looks: the theme, the marks of cells, coordinates, and the projector.

import { type Board, type Marks, MARKS } from "./board.ts";
import { followTheme, keepTheme } from "./preferences.ts";
import { DARK, LIGHT, type Theme } from "./theme.ts";

export class Looks {
  theme: Theme = DARK;
  projector = false;

  /** board returns the board on the stage, and changed draws the panels again. */
  constructor(
    private readonly board: () => Board,
    private readonly changed: () => void,
    private readonly say: (text: string) => void,
  ) {}

  /** Uses the theme that the viewer or the system prefers, now and later. */
  begin(): void {
    followTheme((theme) => this.use(theme));
  }

  use(theme: Theme): void {
    this.theme = this.board().theme = theme;
    document.documentElement.dataset.theme = theme.name;
    this.restyle();
  }

  toggleTheme(): void {
    this.use(this.theme === DARK ? LIGHT : DARK);
    keepTheme(this.theme);
    this.say(this.theme === DARK ? "Dark." : "Light.");
  }

  toggleCoordinates(): void {
    this.board().coordinates = !this.board().coordinates;
    this.restyle();
  }

  /** Sets how cells show their owners. */
  mark(marks: Marks): void {
    this.board().marks = marks;
    this.restyle();
  }

  cycleMarks(): void {
    const { marks } = this.board();
    this.mark(MARKS[(MARKS.indexOf(marks) + 1) % MARKS.length]);
    this.say(
      {
        shapes: "Marks: shapes",
        letters: "Marks: letters",
        strong: "Marks: strong shapes",
        off: "Marks: off",
      }[this.board().marks],
    );
  }

  toggleProjector(): void {
    this.projector = !this.projector;
    this.board().strong = this.projector;
    document.documentElement.classList.toggle("projector", this.projector);
    this.restyle();
  }

  private restyle(): void {
    this.board().restyle();
    this.changed();
  }
}

/** Fills the screen with the page, or ends that. */
export function toggleFullScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else void document.documentElement.requestFullscreen?.();
}
