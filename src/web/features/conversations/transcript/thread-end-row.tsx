// The last row of a thread: its outcome, its usage, and a button that copies the answer.

import type { CallUsage } from "../../../../protocol/wire/events.ts";
import type { ThreadView } from "../../../../protocol/wire/view.ts";
import { useFormatter } from "../../../ui/format/formatter.ts";
import { useMessages } from "../../../session/language.ts";
import styles from "./thread-end-row.module.css";
import { useAgentNames } from "../../agents/use-agents.ts";
import type { ResendRequest, TranscriptRow } from "./transcript-row.ts";
import { RotateCw } from "lucide-react";
import type { Item } from "../../../../protocol/wire/items.ts";
import { Button, CopyButton } from "../../../ui/button.tsx";
import { FailureNotice } from "../items/item-view.tsx";
import { useConversationCommands } from "../state/conversation-context.ts";

type ThreadOutcome = Extract<TranscriptRow, { kind: "end" }>["outcome"];

/** Shows only the parts that exist; `answered` and `failed` have no text, because the rows above show them. */
export function ThreadEndRow({
  thread: { usage },
  answer,
  outcome,
  resend,
}: {
  readonly thread: ThreadView;
  readonly answer: string;
  readonly outcome: ThreadOutcome;
  readonly resend: ResendRequest | undefined;
}) {
  const t = useMessages("chat");
  const format = useFormatter();
  const ended = getOutcomeKey(outcome);
  return (
    <div className={styles["end"]}>
      {answer === "" ? null : <CopyButton text={answer} label={t("copyAnswer")} />}
      {ended === null ? null : <span className={styles["ended"]}>{t(ended)}</span>}
      {resend === undefined ? null : <RetryButton resend={resend} />}
      {usage === undefined ? null : (
        <details className={styles["usage"]}>
          <summary>
            <span>{format.duration(usage.duration_ms)}</span>
            {usage.input_tokens + usage.output_tokens === 0 ? null : (
              <>
                <span>{t("tokensIn", { count: usage.input_tokens })}</span>
                <span>{t("tokensOut", { count: usage.output_tokens })}</span>
                <span className={styles["more"]}>{t("modelCalls", { count: usage.model_calls })}</span>
              </>
            )}
            {usage.tasks === 0 ? null : <span className={styles["more"]}>{t("tasks", { count: usage.tasks })}</span>}
          </summary>
          <CallUsageTable calls={usage.calls ?? []} />
        </details>
      )}
    </div>
  );
}

function getOutcomeKey(outcome: ThreadOutcome): "stopped" | "cancelledEarly" | null {
  switch (outcome) {
    case "answered":
    // The reason is shown by the failure row above.
    case "failed":
      return null;
    case "stopped":
      return "stopped";
    case "never begun":
      return "cancelledEarly";
  }
}

/** The roles of model calls that are not made by an agent. Other roles are shown as they are. */
const TRANSLATED_ROLES = ["triage", "planner", "synthesis", "router", "blueprint", "compose"] as const;

function CallUsageTable({ calls }: { readonly calls: readonly CallUsage[] }) {
  const t = useMessages("chat");
  const format = useFormatter();
  const getAgentName = useAgentNames();
  if (calls.length === 0) return null;
  const roles = [...Map.groupBy(calls, ({ role }) => role)];
  const formatRole = (role: string) => {
    if (role.startsWith("agent:")) return getAgentName(role.slice("agent:".length));
    const known = TRANSLATED_ROLES.find((name) => name === role);
    return known === undefined ? role : t(`role_${known}`);
  };
  const sum = (of: readonly CallUsage[], field: "model_calls" | "input_tokens" | "output_tokens") =>
    format.number(of.reduce((total, call) => total + call[field], 0));
  return (
    <div className={styles["scroll"]}>
      <table className={styles["calls"]}>
        <thead>
          <tr>
            <th scope="col">{t("role")}</th>
            <th scope="col">{t("calls")}</th>
            <th scope="col">{t("input")}</th>
            <th scope="col">{t("output")}</th>
          </tr>
        </thead>
        <tbody>
          {roles.map(([role, of]) => (
            <tr key={role}>
              <th scope="row">{formatRole(role)}</th>
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

// A failure in the transcript, and the button that sends its message again.

/** Without `resend`, there is no retry button. */
export function FailureRow({ item, resend }: { readonly item: Item; readonly resend: ResendRequest | undefined }) {
  return (
    <article>
      <FailureNotice item={item}>{resend === undefined ? null : <RetryButton resend={resend} />}</FailureNotice>
    </article>
  );
}

/** Sends the message again, as a new thread of the conversation. */
function RetryButton({ resend: { message, ...options } }: { readonly resend: ResendRequest }) {
  const t = useMessages("chat");
  const { send } = useConversationCommands();
  return (
    // The second click of a double click must not send again.
    <Button onClick={({ detail }) => (detail > 1 ? undefined : send(message, options))}>
      <RotateCw size={14} aria-hidden />
      {t("retry")}
    </Button>
  );
}
