// The avatar of an agent: its first letter, in a colour derived from its name.

import type { CSSProperties } from "react";
import styles from "./avatar.module.css";
import { computeNameHue } from "./name-hue.ts";

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
