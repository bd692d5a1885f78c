import { useEffect, useRef } from "react";
import type { PlanProblem } from "../../protocol/plan-template.ts";
import { withoutPath } from "../ui/without-path.ts";
import styles from "./form.module.css";

/** Lists the problems of a template with their paths. Screen readers announce it. */
export function Problems({ title, problems }: { readonly title: string; readonly problems: readonly PlanProblem[] }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Do not return the result: newer browsers return a promise, which is not a cleanup function.
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
