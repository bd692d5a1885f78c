import { useFormat } from "../format.ts";
import { useWords } from "../language.ts";
import { Json } from "../steps/json.tsx";
import type { DrawnTask } from "./drawn.ts";
import styles from "./picture.module.css";
import { reasonIn } from "./reason.ts";
import { WORDS } from "./words.ts";

/** Shows the prompt, the context values and the status history of a task. */
export function TaskFacts({ task: { name, prompt, course } }: { readonly task: DrawnTask }) {
  const say = useWords(WORDS);
  const format = useFormat();
  const { context = {}, status_trace: trace = [] } = course ?? {};
  return (
    <>
      {prompt === "" || prompt === name ? null : <p className={styles["quiet"]}>{prompt}</p>}
      {Object.keys(context).length === 0 ? null : (
        <details className={styles["fold"]}>
          <summary>{say("contextOf", { names: Object.keys(context).slice(0, 4).join(", ") })}</summary>
          <Json value={context} />
        </details>
      )}
      {trace.length === 0 ? null : (
        <details className={styles["fold"]}>
          <summary>{say("trace")}</summary>
          <ol className={styles["trace"]}>
            {trace.map(({ status, reason, timestamp }) => (
              <li key={timestamp}>
                <time dateTime={new Date(timestamp).toISOString()}>{format.second(timestamp)}</time>{" "}
                <strong>{say(status)}</strong> {reasonIn(say, reason)}
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}
