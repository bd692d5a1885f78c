import type { ReactNode } from "react";
import type { Plan } from "../../protocol/plans/task-plan.ts";
import type { TriageResult } from "../../protocol/wire/events.ts";
import { useAgentNames } from "../chat/use-agent-names.ts";
import { useWords } from "../language.ts";
import { WORDS } from "./words.ts";
import styles from "./plan-reasons.module.css";

/** Shows the reasons of triage and planner for this plan. `children`: further content, such as links. */
export function PlanReasons({
  plan,
  triage,
  children,
}: {
  readonly plan: Plan;
  readonly triage: TriageResult | undefined;
  readonly children?: ReactNode;
}) {
  const say = useWords(WORDS);
  const nameOf = useAgentNames();
  const understood = triage?.enriched_query ?? plan.query;
  const facts = [
    { name: say("strategy"), words: triage === undefined ? "" : say(triage.strategy) },
    { name: say("triageReason"), words: triage?.reason ?? "" },
    { name: say("understood"), words: understood === plan.orig_query ? "" : understood },
    { name: say("chosen"), words: triage?.selected_agents.map(nameOf).join(", ") ?? "" },
    { name: say("planReason"), words: plan.reasoning === triage?.reason ? "" : plan.reasoning },
    { name: say("guidance"), words: plan.guidance_message ?? "" },
  ].filter(({ words }) => words.trim() !== "");
  if (facts.length === 0 && children === undefined) return null;
  return (
    <details className={styles["why"]}>
      <summary>{say("why")}</summary>
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
