import type { ReactNode } from "react";
import styles from "./cards.module.css";

type Part = { readonly children: ReactNode };

export function Cards({ children }: Part) {
  return <ul className={styles["list"]}>{children}</ul>;
}

/** An item of a card list. `look` is an additional class name. */
export function Card({ look = "", children }: Part & { readonly look?: string | undefined }) {
  return <li className={`${styles["card"]} ${look}`}>{children}</li>;
}

/** The title, an `h2`, with the status at the other end. */
export function CardHead({ children }: Part) {
  return <div className={styles["head"]}>{children}</div>;
}

/** Text of at most two lines. */
export function CardText({ children }: Part) {
  return <p className={styles["text"]}>{children}</p>;
}

export function CardFacts({ children }: Part) {
  return <p className={styles["facts"]}>{children}</p>;
}
