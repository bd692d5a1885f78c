import { useEffect, useRef } from "react";
import type { PlanProblem } from "../../protocol/plan-template.ts";
import { withoutPath } from "../ui/without-path.ts";
import styles from "./form.module.css";

/** What is wrong with a template, and where. Read out when it comes. */
export function Problems({ title, problems }: { readonly title: string; readonly problems: readonly PlanProblem[] }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Newer browsers answer with a promise, which is nothing to clean up with.
    place.current?.scrollIntoView({ block: "nearest" });
  }, [problems]);
  return (
    <div ref={place} role="alert" className={styles["problems"]}>
      <strong>{title}</strong>
      {problems.length === 0 ? null : (
        <ul>
          {problems.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path === "" ? null : <code>{path}</code>} {withoutPath(message, path)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
