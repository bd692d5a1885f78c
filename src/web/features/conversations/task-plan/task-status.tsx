// The icon and the color of a task status. The color never carries information alone.

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
import type { TaskStatus } from "../../../../protocol/plans/task-plan.ts";
import styles from "./task-status.module.css";

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
  const moves = status === "running" || status === "retrying" ? styles["moves"] : "";
  return <Icon className={`${styles["icon"]} ${styles[status]} ${moves}`} size={size} aria-hidden />;
}

/** Returns the CSS class with the color of a status. */
export function getStatusClass(status: TaskStatus): string {
  return styles[status] ?? "";
}
