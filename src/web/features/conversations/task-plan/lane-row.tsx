// A task in the list of a plan: its node in the graph on the left, and its content. The list must set the CSS variable
// `--ground` to its background.

import type { CSSProperties, ReactNode } from "react";
import type { TaskStatus } from "../../../../protocol/plans/task-plan.ts";
import styles from "./lane-row.module.css";
import { LANE_WIDTH_PX, GraphLanes } from "./graph-lanes.tsx";
import type { GraphRow } from "./task-graph.ts";
import { TaskStatusIcon } from "./task-status.tsx";

export function LaneRow({
  row,
  lanes,
  done,
  status,
  children,
}: {
  readonly row: GraphRow;
  /** The number of lanes of the plan; 0 if no lines are drawn. */
  readonly lanes: number;
  /** The ids of the completed tasks. */
  readonly done: readonly string[];
  readonly status: TaskStatus;
  readonly children: ReactNode;
}) {
  const isDrawn = lanes > 0;
  const laneStyle = { "--lanes": Math.max(1, lanes), "--lane": isDrawn ? row.lane : 0 } as CSSProperties;
  return (
    <li className={styles["row"]} data-status={status}>
      <div className={styles["gutter"]} style={laneStyle}>
        {isDrawn ? <GraphLanes row={row} lanes={lanes} done={done} /> : null}
        <span className={styles["node"]}>
          <TaskStatusIcon status={status} size={LANE_WIDTH_PX - 2} />
        </span>
      </div>
      <div className={styles["main"]}>{children}</div>
    </li>
  );
}
