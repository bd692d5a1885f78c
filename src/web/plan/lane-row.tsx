// A task in the list of a plan: its place among the lines to the left, and what is told of it beside that. The list says by
// `--ground` what it stands on.

import type { CSSProperties, ReactNode } from "react";
import type { TaskStatus } from "../../protocol/plan.ts";
import styles from "./lane-row.module.css";
import { LANE, Lanes } from "./lanes.tsx";
import type { Row } from "./layers.ts";
import { StatusIcon } from "./status.tsx";

export function LaneRow({
  row,
  lanes,
  done,
  status,
  children,
}: {
  readonly row: Row;
  /** How many lanes the plan has; 0 when no lines are drawn. */
  readonly lanes: number;
  /** The tasks whose results are there. */
  readonly done: readonly string[];
  readonly status: TaskStatus;
  readonly children: ReactNode;
}) {
  const isDrawn = lanes > 0;
  const place = { "--lanes": Math.max(1, lanes), "--lane": isDrawn ? row.lane : 0 } as CSSProperties;
  return (
    <li className={styles["row"]} data-status={status}>
      <div className={styles["gutter"]} style={place}>
        {isDrawn ? <Lanes row={row} lanes={lanes} done={done} /> : null}
        <span className={styles["node"]}>
          <StatusIcon status={status} size={LANE - 2} />
        </span>
      </div>
      <div className={styles["main"]}>{children}</div>
    </li>
  );
}
