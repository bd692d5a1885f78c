import type { ReactNode } from "react";
import type { Plan } from "../../../../protocol/plans/task-plan.ts";
import type { TriageResult } from "../../../../protocol/wire/events.ts";
import { useAgentNames } from "../../agents/use-agents.ts";
import { useMessages } from "../../../session/language.ts";
import styles from "./plan-reasons.module.css";

/**
 * Shows the reasons of triage and planner for this plan, folded; nothing if there are neither reasons nor `children`,
 * which are further content such as links.
 */
export function PlanReasons({
  plan,
  triage,
  children,
}: {
  readonly plan: Plan;
  readonly triage: TriageResult | undefined;
  readonly children?: ReactNode;
}) {
  const t = useMessages("taskPlan");
  const getAgentName = useAgentNames();
  const understood = triage?.enriched_query ?? plan.query;
  const facts = [
    { name: t("strategy"), words: triage === undefined ? "" : t(triage.strategy) },
    { name: t("triageReason"), words: triage?.reason ?? "" },
    { name: t("understood"), words: understood === plan.orig_query ? "" : understood },
    { name: t("selectedAgents"), words: triage?.selected_agents.map(getAgentName).join(", ") ?? "" },
    { name: t("planReason"), words: plan.reasoning === triage?.reason ? "" : plan.reasoning },
    { name: t("guidance"), words: plan.guidance_message ?? "" },
  ].filter(({ words }) => words.trim() !== "");
  if (facts.length === 0 && children === undefined) return null;
  return (
    <details className={styles["why"]}>
      <summary>{t("why")}</summary>
      <dl>
        {facts.map(({ name, words }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      {children}
    </details>
  );
}
