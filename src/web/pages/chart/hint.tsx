// What is shown beside a point that the pointer or the arrow keys have come to.

import type { TooltipContentProps } from "recharts";
import { numberText } from "../../../protocol/scale.ts";
import styles from "./chart.module.css";

export type Shown = { readonly name: string; readonly colour: string; readonly value: number | null };

export function Hint({ label, values }: { readonly label: string; readonly values: readonly Shown[] }) {
  return (
    <div className={styles["hint"]}>
      {label === "" ? null : <strong>{label}</strong>}
      {values.map(({ name, colour, value }, i) => (
        // Names may repeat; the order never changes.
        // oxlint-disable-next-line react/no-array-index-key
        <span key={i} className={styles["hintValue"]}>
          <span className={styles["key"]} style={{ background: colour }} />
          {name === "" ? null : `${name}: `}
          {value === null ? "–" : numberText(value)}
        </span>
      ))}
    </div>
  );
}

/** Which row a hint is about, null for none. */
export function rowAt({ active, label }: Pick<TooltipContentProps, "active" | "label">): number | null {
  return active && label !== undefined ? Number(label) : null;
}
