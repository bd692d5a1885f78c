// Light, dark, or as the system has it.

import { useSyncExternalStore } from "react";
import { preference } from "./preference.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const chosen = preference("theme");
const current = (): Theme => THEMES.find((theme) => theme === chosen.get()) ?? "system";

export function setTheme(theme: Theme): void {
  chosen.set(theme === "system" ? null : theme);
}

export function useTheme(): Theme {
  return useSyncExternalStore(chosen.subscribe, current);
}

/** Keeps the document, and the browser's own bars, in the theme that is chosen, here or in another tab. */
export function followTheme(): void {
  const bars = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')];
  const [light = "", dark = ""] = bars.map(({ content }) => content);
  const apply = () => {
    const theme = current();
    document.documentElement.dataset["theme"] = theme;
    for (const [i, bar] of bars.entries()) {
      bar.content = theme === "system" ? ([light, dark][i] ?? "") : theme === "light" ? light : dark;
    }
  };
  apply();
  chosen.subscribe(apply);
}
