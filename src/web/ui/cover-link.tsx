import { Link } from "wouter";
import { escapeHiddenControls } from "../../lib/escape-invisible.ts";
import styles from "./cover-link.module.css";

/** A link that covers its card. The card must be positioned; other controls must be above the link. */
export function CoverLink({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <Link href={href} className={styles["cover"]}>
      <bdi>{escapeHiddenControls(children)}</bdi>
    </Link>
  );
}
