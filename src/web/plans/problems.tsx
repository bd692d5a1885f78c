import type { PlanProblem } from "../../protocol/plan-template.ts";
import styles from "./form.module.css";

/** What is wrong with a template, and where. Read out when it comes. */
export function Problems({ title, problems }: { readonly title: string; readonly problems: readonly PlanProblem[] }) {
  return (
    <div role="alert" className={styles["problems"]}>
      <strong>{title}</strong>
      {problems.length === 0 ? null : (
        <ul>
          {problems.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path === "" ? null : <code>{path}</code>}{" "}
              {path !== "" && message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
