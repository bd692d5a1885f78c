// The tooltip of a chart.

import type { TooltipContentProps } from "recharts";
import { formatNumber } from "../../../../pages/axis-scale.ts";
import styles from "./chart.module.css";

type TooltipValue = { readonly name: string; readonly colour: string; readonly value: number | null };

/** A label, omitted if "", and a line per value; a gap is a dash. */
export function ChartTooltip({ label, values }: { readonly label: string; readonly values: readonly TooltipValue[] }) {
  return (
    <div className={styles["hint"]}>
      {label === "" ? null : <strong>{label}</strong>}
      {values.map(({ name, colour, value }, i) => (
        // Names may repeat; the order is fixed.
        // oxlint-disable-next-line react/no-array-index-key
        <span key={i} className={styles["hintValue"]}>
          <span className={styles["key"]} style={{ background: colour }} />
          {name === "" ? null : `${name}: `}
          {value === null ? "–" : formatNumber(value)}
        </span>
      ))}
    </div>
  );
}

/** Returns the index of the row under the pointer or cursor; null if there is none. */
export function getTooltipRow({ active, label }: Pick<TooltipContentProps, "active" | "label">): number | null {
  return active && label !== undefined ? Number(label) : null;
}
