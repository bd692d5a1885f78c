// The card with the verification of a plan: a summary and a checklist with verdicts.

import { ShieldAlert, ShieldCheck, ShieldQuestionMark, ShieldX, type LucideIcon } from "lucide-react";
import type { EventOf } from "../../../../protocol/wire/events.ts";
import {
  checklistEntrySchema,
  type ChecklistEntry,
  type VerificationEvidence,
} from "../../../../protocol/plans/verification.ts";
import { useAgentNames } from "../../agents/use-agents.ts";
import { useMessages } from "../../../session/language.ts";
import { Markdown } from "../../../ui/markdown/markdown.tsx";
import { Avatar } from "../../../ui/avatar.tsx";
import styles from "./verification-card.module.css";

export type VerificationPayload = EventOf<"verification_completed">["data"]["payload"];

const ICONS = {
  executed_and_verified: ShieldCheck,
  verification_failed: ShieldX,
  executed_but_unverified: ShieldQuestionMark,
  verification_exception: ShieldAlert,
} as const satisfies Record<ChecklistEntry["status"], LucideIcon>;

/** An entry that does not match the schema is shown as unknown. */
export function VerificationCard({ payload }: { readonly payload: VerificationPayload }) {
  const t = useMessages("taskPlan");
  return (
    <section className={styles["card"]} aria-label={t("verification")}>
      <header className={styles["head"]}>
        <h2>{t("verification")}</h2>
        <p>{payload.summary}</p>
      </header>
      <ul className={styles["entries"]}>
        {payload.results.map((result, i) => {
          const entry = checklistEntrySchema.safeParse(result).data;
          // The order of a checklist never changes.
          // oxlint-disable-next-line react/no-array-index-key
          return <li key={i}>{entry === undefined ? t("unknownEntry") : <ChecklistEntryRow entry={entry} />}</li>;
        })}
      </ul>
    </section>
  );
}

function ChecklistEntryRow({ entry }: { readonly entry: ChecklistEntry }) {
  const t = useMessages("taskPlan");
  const { status, task_name, agent_id, tools_used, response, reason, evidence } = entry;
  const name = useAgentNames()(agent_id);
  const Icon = ICONS[status];
  const explanation = reason === "no_verification_tool" ? t(reason) : reason;
  return (
    <div className={styles["entry"]}>
      <Icon className={styles[status]} size={20} aria-hidden />
      <div className={styles["words"]}>
        <p className={styles["name"]}>{task_name}</p>
        <p className={styles["facts"]}>
          <strong className={styles[status]}>{t(status)}</strong>
          <span className={styles["agent"]}>
            <Avatar name={agent_id} label={name} size="small" />
            {name}
          </span>
        </p>
        {explanation === undefined || explanation === response ? null : (
          <p className={styles["facts"]}>{explanation}</p>
        )}
        {evidence === undefined ? null : <Evidence evidence={evidence} />}
        {tools_used.length === 0 || evidence !== undefined ? null : (
          <p className={styles["facts"]}>
            {t("toolsUsed")}
            {tools_used.map((tool) => (
              <code key={tool} className={styles["tool"]}>
                {tool}
              </code>
            ))}
          </p>
        )}
        {response.trim() === "" ? null : (
          <details className={styles["response"]}>
            <summary>{t("explanation")}</summary>
            <Markdown text={response} />
          </details>
        )}
      </div>
    </div>
  );
}

/** The check of a criterion: the lookup, the expected result, and what it gave before and after the work. */
function Evidence({ evidence }: { readonly evidence: VerificationEvidence }) {
  const t = useMessages("taskPlan");
  const { tool, arguments: args, holds, before, after, result, attempts } = evidence;
  const format = (state: boolean | null) => t(state === null ? "checkNotRun" : state ? "checkHeld" : "checkDidNotHold");
  return (
    <>
      <p className={styles["facts"]}>
        {t("check")}
        <code className={styles["tool"]}>{`${tool}(${Object.values(args)
          .map((arg) => JSON.stringify(arg))
          .join(", ")})`}</code>
        <code className={styles["tool"]}>{holds}</code>
      </p>
      <p className={styles["facts"]}>
        {t("checkOutcome", { before: format(before), after: format(after) })}
        {attempts > 1 ? ` ${t("checkAttempts", { attempts })}` : null}
      </p>
      {result === "" ? null : (
        <details className={styles["response"]}>
          <summary>{t("checkResult")}</summary>
          <pre>{result}</pre>
        </details>
      )}
    </>
  );
}
