// The notice that shows a failed or cancelled task, plan or thread.

import { CircleSlash, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { getItemText, type Item } from "../../../../protocol/wire/items.ts";
import { useMessages } from "../../../session/language.ts";
import styles from "./failure-notice.module.css";

/** `children`: the actions that are offered. */
export function FailureNotice({ item, children }: { readonly item: Item; readonly children?: ReactNode }) {
  const t = useMessages("chat");
  const isCancelled = item.event === "task_cancelled";
  const Icon = isCancelled ? CircleSlash : TriangleAlert;
  return (
    <div className={`${styles["failure"]} ${isCancelled ? styles["cancelled"] : ""}`}>
      <Icon size={18} aria-hidden className={styles["icon"]} />
      <div className={styles["words"]}>
        <strong>{t(getFailureTitleKey(item))}</strong>
        <p>{getItemText(item)}</p>
      </div>
      {children}
    </div>
  );
}

function getFailureTitleKey(item: Item): "planFailed" | "taskFailed" | "taskCancelled" | "systemFailed" {
  if (item.event === "plan_failed") return "planFailed";
  if (item.event === "task_failed") return "taskFailed";
  return item.event === "task_cancelled" ? "taskCancelled" : "systemFailed";
}
