// Verifies an ordinary plan: each completed task, with the person's request as the subject and its query and result as
// facts.

import { SUPER_AGENT } from "../../protocol/events.ts";
import type { Verification } from "../../protocol/verification.ts";
import { languageOf } from "../../protocol/words/language.ts";
import type { EndedTask } from "../executor.ts";
import type { Draft } from "../ports.ts";
import { stageScope, type Scene } from "../scene.ts";
import { verificationDraft, wordsOf } from "./told.ts";
import { verify } from "./verify.ts";
import type { Pair } from "./words.ts";

/** The verification of a plan. */
export type Checked = {
  readonly verification: Verification;
  /** The event that fails the thread, if a task was explicitly found not done. */
  readonly failure?: Draft;
};

/** Verifies the completed tasks and publishes the outcome. Null if no task completed or the signal aborted. */
export async function verifyPlan(scene: Scene, ended: readonly EndedTask[]): Promise<Checked | null> {
  const { threadId: thread_id, request } = scene;
  const pairs = ended.flatMap((end): Pair[] => {
    if (end.status !== "completed") return [];
    const { agent_name, task_id, title: task_name, query: task_query } = end.task;
    return [{ agent_name, task_id, task_name, facts: { task_query, task_result: end.result } }];
  });
  if (pairs.length === 0) return null;
  const verification = await verify(scene, pairs, { request: request.message });
  if (scene.signal.aborted) return null;
  const language = languageOf(request.message, request.language);
  const scope = stageScope(thread_id, "verification");
  const spec = { name: "verified", scope, agentName: SUPER_AGENT, isAtomic: true };
  const closing = [verificationDraft(thread_id, verification, language)];
  await scene.ports.step(spec, () => Promise.resolve({ value: null, closing }));
  if (!verification.summary.has_explicit_failure) return { verification };
  const payload = { content: wordsOf(verification, language), code: "verification_failed" };
  return { verification, failure: { event: "system_failed", data: { role: "system", thread_id, payload } } };
}
