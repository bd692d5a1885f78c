import { useFormatter } from "../formatter.ts";
import { useWords } from "../language.ts";
import { JsonView } from "../steps/json-view.tsx";
import type { DrawnTask } from "./drawn-workflow.ts";
import styles from "./workflow-diagram.module.css";
import { translateReason } from "./translate-reason.ts";
import { WORDS } from "./words.ts";

/** Shows the prompt, the context values and the status history of a task. */
export function WorkflowTaskDetails({ task: { name, prompt, course } }: { readonly task: DrawnTask }) {
  const say = useWords(WORDS);
  const format = useFormatter();
  const { context = {}, status_trace: trace = [] } = course ?? {};
  return (
    <>
      {prompt === "" || prompt === name ? null : <p className={styles["quiet"]}>{prompt}</p>}
      {Object.keys(context).length === 0 ? null : (
        <details className={styles["fold"]}>
          <summary>{say("contextOf", { names: Object.keys(context).slice(0, 4).join(", ") })}</summary>
          <JsonView value={context} />
        </details>
      )}
      {trace.length === 0 ? null : (
        <details className={styles["fold"]}>
          <summary>{say("trace")}</summary>
          <ol className={styles["trace"]}>
            {trace.map(({ status, reason, timestamp }) => (
              <li key={timestamp}>
                <time dateTime={new Date(timestamp).toISOString()}>{format.timeWithSeconds(timestamp)}</time>{" "}
                <strong>{say(status)}</strong> {translateReason(say, reason)}
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}
