// The lines of the graph in one row. The upper part has the height of a task header; the lower part grows with the row.

import styles from "./graph-lanes.module.css";
import type { GraphLine, GraphRow } from "./task-graph.ts";

/** The distance between lanes and the vertical center of the task icon, in px. */
export const LANE_WIDTH_PX = 22;
export const HEADER_CENTER_PX = 24;

const getLaneX = (lane: number) => lane * LANE_WIDTH_PX + LANE_WIDTH_PX / 2;

/** `lanes`: the number of lanes of the plan. `done`: the ids of the completed tasks, whose lines are highlighted. */
export function GraphLanes({
  row,
  lanes,
  done,
}: {
  readonly row: GraphRow;
  readonly lanes: number;
  readonly done: readonly string[];
}) {
  const getLineClass = (source: string) => `${styles["line"]} ${done.includes(source) ? styles["done"] : ""}`;
  const ownX = getLaneX(row.lane);
  return (
    <svg className={styles["lanes"]} width={lanes * LANE_WIDTH_PX} height="100%" aria-hidden focusable="false">
      {row.passing.map(({ lane, source }) => (
        <line key={source} className={getLineClass(source)} x1={getLaneX(lane)} x2={getLaneX(lane)} y1="0" y2="100%" />
      ))}
      {row.incoming.map((line) => (
        <path key={line.source} className={getLineClass(line.source)} d={buildCurvePath(line, ownX)} />
      ))}
      {row.isUsed ? (
        <line className={getLineClass(row.task_id)} x1={ownX} x2={ownX} y1={HEADER_CENTER_PX + 11} y2="100%" />
      ) : null}
    </svg>
  );
}

/** Returns the path from the upper edge to the icon of the task: straight or curved. */
function buildCurvePath({ lane }: GraphLine, to: number): string {
  const from = getLaneX(lane);
  if (from === to) return `M ${from} 0 V ${HEADER_CENTER_PX - 11}`;
  const side = from < to ? -11 : 11;
  return `M ${from} 0 C ${from} ${HEADER_CENTER_PX}, ${from} ${HEADER_CENTER_PX}, ${to + side} ${HEADER_CENTER_PX}`;
}
