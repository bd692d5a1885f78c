import type { ReactNode } from "react";
import styles from "./badge.module.css";

export type Tone = "good" | "warn" | "bad" | "info" | "plain";

export function Badge({ tone = "plain", children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`${styles["badge"]} ${styles[tone]}`}>{children}</span>;
}
