import type { ReactNode } from "react";
import styles from "./card-list.module.css";
import { Link } from "wouter";
import { escapeHiddenControls } from "../../lib/escape-invisible.ts";

type CardPartProps = { readonly children: ReactNode };

export function CardList({ children }: CardPartProps) {
  return <ul className={styles["list"]}>{children}</ul>;
}

/** An item of a card list. `look` is an additional class name. */
export function Card({ look = "", children }: CardPartProps & { readonly look?: string | undefined }) {
  return <li className={`${styles["card"]} ${look}`}>{children}</li>;
}

/** The title, an `h2`, with the status at the other end. */
export function CardHead({ children }: CardPartProps) {
  return <div className={styles["head"]}>{children}</div>;
}

/** Text of at most two lines. */
export function CardText({ children }: CardPartProps) {
  return <p className={styles["text"]}>{children}</p>;
}

/** A line of short facts below the text. */
export function CardFacts({ children }: CardPartProps) {
  return <p className={styles["facts"]}>{children}</p>;
}

/** A link that covers its card. The card must be positioned; other controls must be above the link. */
export function CoverLink({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <Link href={href} className={styles["cover"]}>
      <bdi>{escapeHiddenControls(children)}</bdi>
    </Link>
  );
}
