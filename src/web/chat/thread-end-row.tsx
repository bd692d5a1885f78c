// The last row of a thread: its outcome, its usage, and a button that copies the answer.

import type { CallUsage } from "../../protocol/wire/events.ts";
import type { ThreadView } from "../../protocol/wire/view.ts";
import { useFormatter } from "../formatter.ts";
import { useWords } from "../language.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import styles from "./thread-end-row.module.css";
import { useAgentNames } from "./use-agent-names.ts";
import { RetryButton } from "./failure-row.tsx";
import type { ResendRequest, TranscriptRow } from "./transcript-row.ts";
import { WORDS } from "./words.ts";

type ThreadOutcome = Extract<TranscriptRow, { kind: "end" }>["outcome"];

export function ThreadEndRow({
  thread: { usage },
  answer,
  outcome,
  again,
}: {
  readonly thread: ThreadView;
  readonly answer: string;
  readonly outcome: ThreadOutcome;
  readonly again: ResendRequest | undefined;
}) {
  const say = useWords(WORDS);
  const format = useFormatter();
  const ended = getOutcomeKey(outcome);
  return (
    <div className={styles["end"]}>
      {answer === "" ? null : <CopyButton text={answer} label={say("copyAnswer")} />}
      {ended === null ? null : <span className={styles["ended"]}>{say(ended)}</span>}
      {again === undefined ? null : <RetryButton again={again} />}
      {usage === undefined ? null : (
        <details className={styles["usage"]}>
          <summary>
            <span>{format.duration(usage.duration_ms)}</span>
            {usage.input_tokens + usage.output_tokens === 0 ? null : (
              <>
                <span>{say("tokensIn", { count: usage.input_tokens })}</span>
                <span>{say("tokensOut", { count: usage.output_tokens })}</span>
                <span className={styles["more"]}>{say("modelCalls", { count: usage.model_calls })}</span>
              </>
            )}
            {usage.tasks === 0 ? null : <span className={styles["more"]}>{say("tasks", { count: usage.tasks })}</span>}
          </summary>
          <CallUsageTable calls={usage.calls ?? []} />
        </details>
      )}
    </div>
  );
}

function getOutcomeKey(outcome: ThreadOutcome): "stopped" | "stoppedEarly" | null {
  switch (outcome) {
    case "answered":
    // The reason is shown by the failure row above.
    case "failed":
      return null;
    case "stopped":
      return "stopped";
    case "never begun":
      return "stoppedEarly";
  }
}

function CallUsageTable({ calls }: { readonly calls: readonly CallUsage[] }) {
  const say = useWords(WORDS);
  const format = useFormatter();
  const nameOf = useAgentNames();
  if (calls.length === 0) return null;
  const roles = [...Map.groupBy(calls, ({ role }) => role)];
  const sum = (of: readonly CallUsage[], field: "model_calls" | "input_tokens" | "output_tokens") =>
    format.number(of.reduce((total, call) => total + call[field], 0));
  return (
    <div className={styles["scroll"]}>
      <table className={styles["calls"]}>
        <thead>
          <tr>
            <th scope="col">{say("role")}</th>
            <th scope="col">{say("calls")}</th>
            <th scope="col">{say("input")}</th>
            <th scope="col">{say("output")}</th>
          </tr>
        </thead>
        <tbody>
          {roles.map(([role, of]) => (
            <tr key={role}>
              <th scope="row">{role.startsWith("agent:") ? nameOf(role.slice("agent:".length)) : role}</th>
              <td>{sum(of, "model_calls")}</td>
              <td>{sum(of, "input_tokens")}</td>
              <td>{sum(of, "output_tokens")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
