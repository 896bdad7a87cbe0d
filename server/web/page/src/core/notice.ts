// A short message that disappears by itself.

/** How long a message is shown, in milliseconds. */
const TIME = 2500;

export class Notice {
  /** May be empty. */
  text = "";
  private timer = 0;

  constructor(private readonly changed: () => void) {}

  show(text: string): void {
    this.text = text;
    clearTimeout(this.timer);
    if (text) this.timer = window.setTimeout(() => this.show(""), TIME);
    this.changed();
  }
}
