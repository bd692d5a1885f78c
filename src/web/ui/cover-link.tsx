import type { ReactNode } from "react";
import { Link } from "wouter";
import styles from "./cover-link.module.css";

/** A link that all of the card leads by; the card is positioned, and what else can be done with it lies above. */
export function CoverLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <Link href={href} className={styles["cover"]}>
      {children}
    </Link>
  );
}
