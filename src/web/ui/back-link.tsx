import { ArrowLeft } from "lucide-react";
import { Link } from "wouter";
import styles from "./back-link.module.css";

/** A link from a detail page to its list. */
export function BackLink({ href, label }: { readonly href: string; readonly label: string }) {
  return (
    <Link href={href} className={styles["back"]}>
      <ArrowLeft size={14} aria-hidden />
      {label}
    </Link>
  );
}
