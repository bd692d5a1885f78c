// The colour theme: light, dark, or that of the system. A preference of this browser.

import { getPreference } from "./preference.ts";
import { useStore } from "./store.ts";

export const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const themePreference = getPreference("theme");
const getTheme = (): Theme => THEMES.find((theme) => theme === themePreference.get()) ?? "system";

/** Applies a theme and stores it in this browser; `system` removes the stored choice. */
export function setTheme(theme: Theme): void {
  themePreference.set(theme === "system" ? null : theme);
}

/** Returns the chosen theme, `system` by default. The component renders again when it changes, in any tab. */
export const useTheme = (): Theme => useStore({ subscribe: themePreference.subscribe, get: getTheme });

/**
 * Applies the chosen theme to the document (`data-theme`) and the browser's toolbar (`theme-color`), now and after
 * every change in this or another tab. Call it once.
 */
export function followTheme(): void {
  const bars = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')];
  const [light = "", dark = ""] = bars.map(({ content }) => content);
  const apply = () => {
    const theme = getTheme();
    document.documentElement.dataset["theme"] = theme;
    for (const [i, bar] of bars.entries()) {
      bar.content = theme === "system" ? ([light, dark][i] ?? "") : theme === "light" ? light : dark;
    }
  };
  apply();
  themePreference.subscribe(apply);
}
