// The avatar of an agent: its first letter, in a colour derived from its name.

import type { CSSProperties } from "react";
import styles from "./avatar.module.css";

/** Decorative, hidden from screen readers. `name` determines the colour, `label` (default: `name`) the letter. */
export function Avatar({
  name,
  label = name,
  size = "medium",
}: {
  readonly name: string;
  readonly label?: string;
  readonly size?: "small" | "medium" | "large";
}) {
  const colour = { "--hue": computeNameHue(name) } as CSSProperties;
  const letter = [...label.trim()][0]?.toUpperCase() ?? "?";
  return (
    <span className={`${styles["avatar"]} ${styles[size]}`} style={colour} aria-hidden>
      {letter}
    </span>
  );
}

const HUES = 12;

/**
 * Computes a hue from a name, in degrees: one of `HUES` evenly spaced values, always the same for a name (FNV-1a hash).
 */
export function computeNameHue(name: string): number {
  let hash = 2_166_136_261;
  for (const char of name) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16_777_619);
  return ((hash >>> 8) % HUES) * (360 / HUES);
}
