import { useFormatter } from "../../../ui/format/formatter.ts";
import { useMessages } from "../../../session/language.ts";
import { JsonView } from "../../../ui/json-view.tsx";
import type { DrawnTask } from "./drawn-workflow.ts";
import { formatStatusReason, type ListenerNames } from "./replace-listener-id.ts";
import styles from "./workflow-diagram.module.css";

/** Shows prompt, context values and status history of a task, each only if there is something to show. */
export function WorkflowTaskDetails({
  task: { name, prompt, execution },
  listenerNames,
}: {
  readonly task: DrawnTask;
  readonly listenerNames: ListenerNames;
}) {
  const t = useMessages("workflows");
  const format = useFormatter();
  const { context = {}, status_trace: trace = [] } = execution ?? {};
  return (
    <>
      {prompt === "" || prompt === name ? null : <p className={styles["quiet"]}>{prompt}</p>}
      {Object.keys(context).length === 0 ? null : (
        <details className={styles["fold"]}>
          <summary>{t("values", { names: Object.keys(context).slice(0, 4).join(", ") })}</summary>
          <JsonView value={context} />
        </details>
      )}
      {trace.length === 0 ? null : (
        <details className={styles["fold"]}>
          <summary>{t("statusHistory")}</summary>
          <ol className={styles["trace"]}>
            {trace.map(({ status, reason, timestamp }) => (
              <li key={timestamp}>
                <time dateTime={new Date(timestamp).toISOString()}>{format.timeWithSeconds(timestamp)}</time>{" "}
                <strong>{t(status)}</strong> {formatStatusReason(status, reason, listenerNames)}
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}
