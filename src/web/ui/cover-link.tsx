import { Link } from "wouter";
import { plainly } from "../../protocol/visible.ts";
import styles from "./cover-link.module.css";

/** A link that all of the card leads by; the card is positioned, and what else can be done with it lies above. */
export function CoverLink({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <Link href={href} className={styles["cover"]}>
      <bdi>{plainly(children)}</bdi>
    </Link>
  );
}
