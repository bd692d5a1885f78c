// The lines of the graph in one row. The upper part has the height of a task header; the lower part grows with the row.

import styles from "./lanes.module.css";
import type { Line, Row } from "./layers.ts";

/** The distance between lanes and the vertical center of the task icon, in px. */
export const LANE = 22;
export const HEAD = 24;

const xOf = (lane: number) => lane * LANE + LANE / 2;

/** `done`: the ids of the completed tasks. */
export function Lanes({
  row,
  lanes,
  done,
}: {
  readonly row: Row;
  readonly lanes: number;
  readonly done: readonly string[];
}) {
  const toneOf = (source: string) => `${styles["line"]} ${done.includes(source) ? styles["done"] : ""}`;
  const own = xOf(row.lane);
  return (
    <svg className={styles["lanes"]} width={lanes * LANE} height="100%" aria-hidden focusable="false">
      {row.passing.map(({ lane, source }) => (
        <line key={source} className={toneOf(source)} x1={xOf(lane)} x2={xOf(lane)} y1="0" y2="100%" />
      ))}
      {row.incoming.map((line) => (
        <path key={line.source} className={toneOf(line.source)} d={curve(line, own)} />
      ))}
      {row.isUsed ? <line className={toneOf(row.task_id)} x1={own} x2={own} y1={HEAD + 11} y2="100%" /> : null}
    </svg>
  );
}

/** Returns the path from the upper edge to the icon of the task: straight or curved. */
function curve({ lane }: Line, to: number): string {
  const from = xOf(lane);
  if (from === to) return `M ${from} 0 V ${HEAD - 11}`;
  const side = from < to ? -11 : 11;
  return `M ${from} 0 C ${from} ${HEAD}, ${from} ${HEAD}, ${to + side} ${HEAD}`;
}
