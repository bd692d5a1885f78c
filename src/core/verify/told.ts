// What readers, and the context of a main task, are told of a verification.

import { planContextSchema, type PlanContext } from "../../protocol/plan-template.ts";
import type { Verification } from "../../protocol/verification.ts";
import type { Language } from "../../protocol/words/language.ts";
import type { Draft } from "../ports.ts";

/** The event that tells the outcome: a summary in words, and the checklist. */
export function verificationDraft(threadId: string, { checklist, summary }: Verification, language: Language): Draft {
  const payload = { summary: `${summary.verified_count}/${summary.total_count} ${language}`, results: checklist };
  return { event: "verification_completed", data: { role: "system", thread_id: threadId, payload } };
}

/** What the context of the main task gets. An agent's entry is the worst of its tasks (X23). */
export function contextOf({ checklist, summary }: Verification): PlanContext {
  return planContextSchema.parse({
    verification_results: { _summary: summary, _checklist: checklist },
    planner_verification: "completed",
  });
}
