#!/usr/bin/env python3
"""Turn a terminal's screen into an SVG picture: docs/img/play.svg.

    tmux -f /dev/null new-session -d -x 100 -y 28 -s play \
        "COLORTERM=truecolor TERM=xterm-256color hexarena play --seed 7 painter random painter random"
    sleep 5.5; tmux capture-pane -e -p -N -t play | python3 docs/img/terminal.py > docs/img/play.svg
    tmux kill-session -t play
"""
import re
import sys
from xml.sax.saxutils import escape

WIDTH, HEIGHT, PAD = 8.4, 18, 16  # of a character, and around the screen
GROUND, TEXT = "#0f131b", "#d5dae4"
BASIC = "000000 cd3131 0dbc79 e5e510 2472c8 bc3fbc 11a8cd e5e5e5 666666 f14c4c 23d18b f5f543 3b8eea d670d6 29b8db ffffff".split()


def color(codes, at):
    """Read the colour that starts at codes[at]; return it and where it ends."""
    if codes[at] == 2:
        return "#%02x%02x%02x" % tuple(codes[at + 1:at + 4]), at + 4
    n = codes[at + 1]
    if n < 16:
        return "#" + BASIC[n], at + 2
    if n < 232:
        level = lambda v: 55 + 40 * v if v else 0
        n -= 16
        return "#%02x%02x%02x" % (level(n // 36), level(n // 6 % 6), level(n % 6)), at + 2
    return "#" + "%02x" % (8 + 10 * (n - 232)) * 3, at + 2


def style(codes, now):
    """Apply the codes of one escape sequence to a style: text, ground, bold, faint, reverse."""
    fg, bg, bold, faint, reverse = now
    at = 0
    while at < len(codes):
        n = codes[at]
        at += 1
        if n == 0:
            fg, bg, bold, faint, reverse = TEXT, None, False, False, False
        elif n == 1:
            bold = True
        elif n == 2:
            faint = True
        elif n == 22:
            bold = faint = False
        elif n == 7:
            reverse = True
        elif n == 27:
            reverse = False
        elif n in (38, 48):
            c, at = color(codes, at)
            fg, bg = (c, bg) if n == 38 else (fg, c)
        elif n == 39:
            fg = TEXT
        elif n == 49:
            bg = None
        elif 30 <= n < 38 or 90 <= n < 98:
            fg = "#" + BASIC[n % 10 + (8 if n >= 90 else 0)]
        elif 40 <= n < 48 or 100 <= n < 108:
            bg = "#" + BASIC[n % 10 + (8 if n >= 100 else 0)]
    return fg, bg, bold, faint, reverse


def main():
    lines = sys.stdin.read().rstrip("\n").split("\n")
    out, columns, now = [], 0, (TEXT, None, False, False, False)
    for row, line in enumerate(lines):
        x = 0
        for part in re.split(r"(\x1b\[[0-9;]*m)", line):
            if part.startswith("\x1b"):
                now = style([int(n or 0) for n in part[2:-1].split(";")], now)
                continue
            if not part:
                continue
            fg, bg, bold, faint, reverse = now
            if reverse:
                fg, bg = bg or GROUND, fg
            left, top, wide = PAD + x * WIDTH, PAD + row * HEIGHT, len(part) * WIDTH
            if bg:
                out.append(f'<rect x="{left:.1f}" y="{top}" width="{wide + 0.4:.1f}" height="{HEIGHT + 0.4}" fill="{bg}"/>')
            if part.strip():
                more = (' font-weight="700"' if bold else "") + (' opacity=".6"' if faint else "")
                out.append(f'<text x="{left:.1f}" y="{top + 13}" fill="{fg}" textLength="{wide:.1f}"{more}>{escape(part)}</text>')
            x += len(part)
        columns = max(columns, x)
    width, height = 2 * PAD + columns * WIDTH, 2 * PAD + len(lines) * HEIGHT
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}"'
          ' role="img" aria-label="A match of four bots, drawn on a terminal">\n'
          f'<rect width="100%" height="100%" rx="10" fill="{GROUND}"/>\n'
          '<g font-family="ui-monospace,Cascadia Mono,Menlo,Noto Sans Mono,Liberation Mono,DejaVu Sans Mono,monospace" font-size="14"'
          ' xml:space="preserve">')
    print("\n".join(out))
    print("</g>\n</svg>")


if __name__ == "__main__":
    main()
