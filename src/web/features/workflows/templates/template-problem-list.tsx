import { useEffect, useRef } from "react";
import type { WorkflowProblem } from "../../../../protocol/workflows/workflow-template.ts";
import { removeFieldPrefix } from "../../../ui/format/remove-field-prefix.ts";
import styles from "../workflow-form.module.css";

/** Lists the problems of a template with their paths, below the title. Scrolled into view and announced. */
export function TemplateProblemList({
  title,
  problems,
}: {
  readonly title: string;
  readonly problems: readonly WorkflowProblem[];
}) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Do not return the result: newer browsers return a promise, which is not a cleanup function.
    container.current?.scrollIntoView({ block: "nearest" });
  }, [problems]);
  return (
    <div ref={container} role="alert" className={styles["problems"]}>
      <strong>{title}</strong>
      {problems.length === 0 ? null : (
        <ul>
          {problems.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path === "" ? null : <code>{path}</code>} {removeFieldPrefix(message, path)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
