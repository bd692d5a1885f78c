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

/** Keeps the document in the theme that is chosen, here or in another tab. */
export function followTheme(): void {
  const apply = () => {
    document.documentElement.dataset["theme"] = current();
  };
  apply();
  chosen.subscribe(apply);
}
