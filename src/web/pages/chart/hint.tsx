// The tooltip of a chart.

import type { TooltipContentProps } from "recharts";
import { numberText } from "../../../protocol/scale.ts";
import styles from "./chart.module.css";

export type Shown = { readonly name: string; readonly colour: string; readonly value: number | null };

export function Hint({ label, values }: { readonly label: string; readonly values: readonly Shown[] }) {
  return (
    <div className={styles["hint"]}>
      {label === "" ? null : <strong>{label}</strong>}
      {values.map(({ name, colour, value }, i) => (
        // Names may repeat; the order is fixed.
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

/** Returns the index of the row under the pointer or cursor; null if there is none. */
export function rowAt({ active, label }: Pick<TooltipContentProps, "active" | "label">): number | null {
  return active && label !== undefined ? Number(label) : null;
}
