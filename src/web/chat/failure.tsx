// The notice that shows a failed or cancelled task, plan or thread.

import { CircleSlash, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { textOf, type Item } from "../../protocol/items.ts";
import { useWords } from "../language.ts";
import styles from "./failure.module.css";
import { WORDS } from "./words.ts";

/** `children`: the actions that are offered. */
export function FailureNote({ item, children }: { readonly item: Item; readonly children?: ReactNode }) {
  const say = useWords(WORDS);
  const isCancelled = item.event === "task_cancelled";
  const Icon = isCancelled ? CircleSlash : TriangleAlert;
  return (
    <div className={`${styles["failure"]} ${isCancelled ? styles["cancelled"] : ""}`}>
      <Icon size={18} aria-hidden className={styles["icon"]} />
      <div className={styles["words"]}>
        <strong>{say(titleOf(item))}</strong>
        <p>{textOf(item)}</p>
      </div>
      {children}
    </div>
  );
}

function titleOf(item: Item): "planFailed" | "taskFailed" | "taskCancelled" | "systemFailed" {
  if (item.event === "plan_failed") return "planFailed";
  if (item.event === "task_failed") return "taskFailed";
  return item.event === "task_cancelled" ? "taskCancelled" : "systemFailed";
}
