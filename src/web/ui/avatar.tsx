// The round mark of an agent: its first letter, in a colour that is always the same for the same name.

import type { CSSProperties } from "react";
import styles from "./avatar.module.css";
import { hueOf } from "./hue.ts";

/** Decoration: the name of the agent stands beside it. `label` is what is shown of it, when that is not its name. */
export function Avatar({
  name,
  label = name,
  size = "medium",
}: {
  readonly name: string;
  readonly label?: string;
  readonly size?: "small" | "medium" | "large";
}) {
  const colour = { "--hue": hueOf(name) } as CSSProperties;
  const letter = [...label.trim()][0]?.toUpperCase() ?? "?";
  return (
    <span className={`${styles["avatar"]} ${styles[size]}`} style={colour} aria-hidden>
      {letter}
    </span>
  );
}
