// A task in the list of a plan: its node in the graph on the left, and its content. The list must set the CSS variable
// `--ground` to its background.

import type { CSSProperties, ReactNode } from "react";
import type { TaskStatus } from "../../../../protocol/plans/task-plan.ts";
import styles from "./lane-row.module.css";
import type { GraphRow, GraphLine } from "./task-graph.ts";
import {
  CalendarClock,
  CircleCheck,
  CircleDashed,
  CircleSlash,
  CircleX,
  LoaderCircle,
  MessageCircleQuestionMark,
  RotateCw,
  type LucideIcon,
} from "lucide-react";

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

// The lines of the graph in one row. The upper part has the height of a task header; the lower part grows with the row.

/** The distance between lanes and the vertical center of the task icon, in px. */
const LANE_WIDTH_PX = 22;
const HEADER_CENTER_PX = 24;

const getLaneX = (lane: number) => lane * LANE_WIDTH_PX + LANE_WIDTH_PX / 2;

/** `lanes`: the number of lanes of the plan. `done`: the ids of the completed tasks, whose lines are highlighted. */
function GraphLanes({
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

// The icon and the color of a task status. The color never carries information alone.

const ICONS = {
  pending: CircleDashed,
  scheduled: CalendarClock,
  running: LoaderCircle,
  waiting_input: MessageCircleQuestionMark,
  retrying: RotateCw,
  completed: CircleCheck,
  failed: CircleX,
  cancelled: CircleSlash,
} as const satisfies Record<TaskStatus, LucideIcon>;

/** The icon without text; the caller shows the status as text. */
export function TaskStatusIcon({ status, size = 18 }: { readonly status: TaskStatus; readonly size?: number }) {
  const Icon = ICONS[status];
  const moves = status === "running" || status === "retrying" ? `turning ${styles["moves"]}` : "";
  return <Icon className={`${styles["icon"]} ${styles[status]} ${moves}`} size={size} aria-hidden />;
}

/** Returns the CSS class with the color of a status. */
export function getStatusClass(status: TaskStatus): string {
  return styles[status] ?? "";
}
