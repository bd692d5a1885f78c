import type { ReactNode } from "react";
import styles from "./badge.module.css";

export type BadgeTone = "good" | "warn" | "bad" | "info" | "plain";

/** A short label whose colour shows the tone. */
export function Badge({ tone = "plain", children }: { readonly tone?: BadgeTone; readonly children: ReactNode }) {
  return <span className={`${styles["badge"]} ${styles[tone]}`}>{children}</span>;
}
