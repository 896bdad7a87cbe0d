// What the viewer and the system prefer.

import { DARK, LIGHT, type Theme } from "./theme.ts";

const THEME_KEY = "theme";

/** Calls apply with the viewer's theme, or else the system's, now and when the system's changes. */
export function followTheme(apply: (theme: Theme) => void): void {
  const light = matchMedia("(prefers-color-scheme: light)");
  const preferred = () =>
    (localStorage.getItem(THEME_KEY) ?? (light.matches ? "light" : "dark")) === "light"
      ? LIGHT
      : DARK;
  apply(preferred());
  light.onchange = () => {
    if (!localStorage.getItem(THEME_KEY)) apply(preferred());
  };
}

/** Keeps the viewer's choice for later visits. */
export function keepTheme(theme: Theme): void {
  localStorage.setItem(THEME_KEY, theme.name);
}

/** Calls apply with whether the system asks for reduced motion, now and when that changes. */
export function followMotion(apply: (reduced: boolean) => void): void {
  const motion = matchMedia("(prefers-reduced-motion: reduce)");
  apply(motion.matches);
  motion.onchange = () => apply(motion.matches);
}
