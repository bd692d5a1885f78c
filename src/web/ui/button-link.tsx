import type { ReactNode } from "react";
import { Link } from "wouter";
import styles from "./button.module.css";

/** A link to another view with the look of a button. */
export function ButtonLink({
  href,
  look = "plain",
  children,
}: {
  readonly href: string;
  readonly look?: "primary" | "plain" | "quiet";
  readonly children: ReactNode;
}) {
  return (
    <Link href={href} className={`${styles["button"]} ${styles["link"]} ${styles[look]}`}>
      {children}
    </Link>
  );
}
