// One line that unfolds: how every step of an agent stands in a conversation.

import { Check, ChevronRight, LoaderCircle, X } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useWords } from "../language.ts";
import styles from "./steps.module.css";
import { WORDS } from "./words.ts";

export type Standing = "running" | "succeeded" | "failed" | "none";

/** `children` is called when it is open: what is folded costs nothing. */
export function Fold({
  icon,
  title,
  hint = "",
  standing,
  children,
}: {
  readonly icon: ReactNode;
  readonly title: string;
  readonly hint?: string;
  readonly standing: Standing;
  readonly children: () => ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles["fold"]} data-standing={standing}>
      <button type="button" className={styles["line"]} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {icon}
        <span className={styles["title"]}>{title}</span>
        <span className={styles["hint"]}>{hint}</span>
        <Sign standing={standing} />
        <ChevronRight className={styles["chevron"]} size={16} aria-hidden />
      </button>
      {isOpen ? <div className={styles["inside"]}>{children()}</div> : null}
    </div>
  );
}

export function Sign({ standing }: { readonly standing: Standing }) {
  const say = useWords(WORDS);
  if (standing === "none") return null;
  const signs = {
    running: <LoaderCircle className={styles["turning"]} size={16} aria-hidden />,
    succeeded: <Check className={styles["good"]} size={16} aria-hidden />,
    failed: <X className={styles["bad"]} size={16} aria-hidden />,
  };
  return (
    <>
      {signs[standing]}
      <span className="visually-hidden">{say(standing)}</span>
    </>
  );
}
