// A foldable line: the form of every step of an agent in a conversation.

import { Check, ChevronRight, LoaderCircle, X } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "../../../session/language.ts";
import { setFold, useFold } from "../state/shown-items.ts";
import styles from "./steps.module.css";

/** `none`: the step has no status, or has ended without a result. */
export type StepStatus = "running" | "succeeded" | "failed" | "none";

/**
 * Initially folded. The open state belongs to the item id and outlives the row, which is unmounted while scrolling.
 * `children` is called only while the step is open, so folded content costs nothing.
 */
export function FoldableStep({
  itemId,
  icon,
  title,
  hint = "",
  status,
  children,
}: {
  readonly itemId: string;
  readonly icon: ReactNode;
  readonly title: string;
  readonly hint?: string;
  readonly status: StepStatus;
  readonly children: () => ReactNode;
}) {
  const isOpen = useFold(itemId) ?? false;
  return (
    <div className={styles["fold"]} data-status={status}>
      <button type="button" className={styles["line"]} aria-expanded={isOpen} onClick={() => setFold(itemId, !isOpen)}>
        {icon}
        <span className={styles["title"]}>{title}</span>
        <span className={styles["hint"]}>{hint}</span>
        <StepStatusIcon status={status} />
        <ChevronRight className={styles["chevron"]} size={16} aria-hidden />
      </button>
      {isOpen ? <div className={styles["inside"]}>{children()}</div> : null}
    </div>
  );
}

/** An icon with its text for screen readers; nothing for `none`. */
export function StepStatusIcon({ status }: { readonly status: StepStatus }) {
  const t = useMessages("steps");
  if (status === "none") return null;
  const signs = {
    running: <LoaderCircle className={`turning ${styles["turning"]}`} size={16} aria-hidden />,
    succeeded: <Check className={styles["good"]} size={16} aria-hidden />,
    failed: <X className={styles["bad"]} size={16} aria-hidden />,
  };
  return (
    <>
      {signs[status]}
      <span className="visually-hidden">{t(status)}</span>
    </>
  );
}
