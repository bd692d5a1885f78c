import type { ReactNode } from "react";
import styles from "./cards.module.css";

export function Cards({ children }: { readonly children: ReactNode }) {
  return <ul className={styles["list"]}>{children}</ul>;
}

/** One of a list, which leads somewhere. `look`: what its view adds to it. */
export function Card({ look = "", children }: { readonly look?: string | undefined; readonly children: ReactNode }) {
  return <li className={`${styles["card"]} ${look}`}>{children}</li>;
}
