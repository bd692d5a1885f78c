import type { ReactNode } from "react";
import styles from "./cards.module.css";

type Part = { readonly children: ReactNode };

export function Cards({ children }: Part) {
  return <ul className={styles["list"]}>{children}</ul>;
}

/** One of a list, which leads somewhere. `look`: what its view adds to it. */
export function Card({ look = "", children }: Part & { readonly look?: string | undefined }) {
  return <li className={`${styles["card"]} ${look}`}>{children}</li>;
}

/** Its title, an `h2`, and at the other end how it stands. */
export function CardHead({ children }: Part) {
  return <div className={styles["head"]}>{children}</div>;
}

/** Two lines of a text, at most. */
export function CardText({ children }: Part) {
  return <p className={styles["text"]}>{children}</p>;
}

export function CardFacts({ children }: Part) {
  return <p className={styles["facts"]}>{children}</p>;
}
