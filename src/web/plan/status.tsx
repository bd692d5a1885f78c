// How the status of a task looks: a picture, a word and a colour, which says nothing alone.

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
import type { TaskStatus } from "../../protocol/plan.ts";
import styles from "./status.module.css";

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

/** The picture alone; the word stands beside it. */
export function StatusIcon({ status, size = 18 }: { readonly status: TaskStatus; readonly size?: number }) {
  const Icon = ICONS[status];
  const moves = status === "running" || status === "retrying" ? styles["moves"] : "";
  return <Icon className={`${styles["icon"]} ${styles[status]} ${moves}`} size={size} aria-hidden />;
}

/** The class that gives something the colour of a status. */
export function toneOf(status: TaskStatus): string {
  return styles[status] ?? "";
}
