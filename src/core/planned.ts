// The outcomes of planning: a plan, a guidance message, a refusal, or a question to the person.

import { PLANNER } from "../protocol/events.ts";
import type { Send } from "../protocol/commands.ts";
import { companion } from "../protocol/ids.ts";
import type { Plan, Task } from "../protocol/plan.ts";
import { shortened } from "../protocol/shortened.ts";
import { languageOf } from "../protocol/words/language.ts";
import { isPlannable, problemOf, scheduleIn, type Brief, type Proposal } from "./plan-rules.ts";
import type { Draft, StepOutcome } from "./ports.ts";
import { stageScope, type Scene } from "./scene.ts";
import { confirmation, type Recurring } from "./schedules/confirm.ts";
import { callCompleted, callStarted, type Call } from "./tool-events.ts";
import type { Place } from "./voice.ts";

/** A final decision of planning. It is journaled as the value of a step. */
export type Settled =
  | { readonly kind: "ready"; readonly plan: Plan }
  /** No tasks; a guidance message for the person was published. */
  | { readonly kind: "guided" }
  /** No acceptable plan; `plan_failed` was published with the reason. */
  | { readonly kind: "refused" };

/** The outcome of planning: a decision, or the id of the question that is still open. */
export type Planned = Settled | { readonly kind: "paused"; readonly request_id: string };

/**
 * Validates a proposal and returns the step outcome: `ready` with the plan, `guided` if it has no tasks or is
 * inadequate, or `refused` with the first problem. Disabled, hidden and passthrough agents are only accepted if
 * `isNamed`, and disabled ones never.
 */
export function settle(scene: Scene, proposal: Proposal, query: string, isNamed: boolean): StepOutcome<Settled> {
  if (!proposal.adequate || proposal.tasks.length === 0) {
    const guidance = proposal.guidance_message ?? "";
    return guide(
      scene,
      guidance !== "" ? guidance : proposal.reason !== "" ? proposal.reason : scene.ports.say(NO_PLAN),
    );
  }
  const candidates = scene.agents.filter((agent) => isNamed || isPlannable(agent));
  const problem = problemOf(proposal.tasks, candidates, scene);
  if (problem !== null) return refuse(scene, problem, "plan_refused");
  const plan = planOf(scene, proposal, query, !isNamed);
  const closing: Draft[] = [planningOver(scene, "Completed")];
  if (plan.guidance_message !== undefined) closing.push(guidanceChunk(scene, plan.guidance_message));
  closing.push({ event: "plan_created", data: { ...placeOf(scene), role: "agent", payload: { plan } } });
  return { value: { kind: "ready", plan }, closing };
}

/**
 * Returns the question that confirms the recurring tasks of a proposal, with its options (F36). Returns null if no task
 * recurs or if the proposal is not acceptable.
 */
export function confirmationOf(
  scene: Scene,
  { adequate, tasks }: Proposal,
): { readonly question: string; readonly options: readonly string[] } | null {
  const { request } = scene;
  const recurring = tasks.flatMap((brief): Recurring[] => {
    const { pattern, schedule_config } = recurrenceOf(brief, request);
    return pattern === "recurring" && schedule_config !== undefined ? [{ title: titleIn(brief), schedule_config }] : [];
  });
  if (!adequate || recurring.length === 0) return null;
  if (problemOf(tasks, scene.agents.filter(isPlannable), scene) !== null) return null;
  const language = languageOf(request.message, request.language);
  const question = confirmation(recurring, scene.ports.now(), request.timezone, language);
  return { question, options: language === "zh" ? ["确认", "取消"] : ["yes", "no"] };
}

/** Creates the outcome for a person who declines the proposed plan. */
export function decline(scene: Scene): StepOutcome<Settled> {
  const { message, language } = scene.request;
  return guide(scene, languageOf(message, language) === "zh" ? "好的，没有设置。" : "All right, nothing was set up.");
}

const NO_PLAN = "I could not find a way to carry this out with the agents at hand.";

/** Creates the `guided` outcome: a message to the person instead of a plan. */
function guide(scene: Scene, guidance: string): StepOutcome<Settled> {
  return {
    value: { kind: "guided" },
    closing: [planningOver(scene, `Reason: ${guidance}`), guidanceChunk(scene, guidance)],
  };
}

/** Creates the `refused` outcome with `plan_failed`. `reason` is an English sentence; it is translated here. */
export function refuse(scene: Scene, reason: string, code: string): StepOutcome<Settled> {
  const { thread_id } = placeOf(scene);
  const content = scene.ports.say(reason);
  return {
    value: { kind: "refused" },
    closing: [
      planningOver(scene, `Reason: ${content}`),
      { event: "plan_failed", data: { thread_id, role: "system", payload: { content, code } } },
    ],
  };
}

/** Returns the schedule of a task; `once` if it has none or if its schedule is invalid. */
function recurrenceOf(brief: Brief, request: Send): Pick<Task, "pattern" | "schedule_config"> {
  const schedule = scheduleIn(brief, request);
  if (schedule === null || "problem" in schedule) return { pattern: "once" };
  return { pattern: "recurring", schedule_config: schedule.config };
}

/** Builds the plan of an accepted proposal. Mints the ids; the caller runs it inside a step, so they are stable. */
function planOf(scene: Scene, proposal: Proposal, query: string, isHandoff: boolean): Plan {
  const { ports, request, threadId } = scene;
  const now = ports.now();
  const planId = ports.mint("plan");
  const ids = new Map(proposal.tasks.map((task) => [task.id, ports.mint("task")]));
  const idOf = (id: string): string => ids.get(id) ?? id;
  const tasks = proposal.tasks.map((brief): Task => {
    const taskId = idOf(brief.id);
    return {
      task_id: taskId,
      plan_id: planId,
      conversation_id: isHandoff ? companion(taskId, "conv") : scene.conversationId,
      thread_id: threadId,
      title: titleIn(brief),
      query: brief.query,
      agent_name: brief.agent_name,
      depends_on: brief.depends_on.map(idOf),
      ...recurrenceOf(brief, request),
      handoff_from_super_agent: isHandoff,
      metadata: {},
      status: "pending",
      created_at: now,
    };
  });
  const guidance = proposal.guidance_message ?? "";
  const isVerified = request.verify ?? proposal.verify ?? false;
  return {
    plan_id: planId,
    conversation_id: scene.conversationId,
    thread_id: threadId,
    user_id: scene.userId,
    orig_query: request.message,
    query,
    reasoning: proposal.reason,
    ...(guidance === "" ? {} : { guidance_message: guidance }),
    ...(isVerified ? { verify: true } : {}),
    created_at: now,
    tasks,
  };
}

/** The maximum length of any task title in characters. */
const MAX_TITLE = 120;

/** Returns the proposed title, truncated; if it is blank, a title made from the query. */
function titleIn({ title, query }: Brief): string {
  return title.trim() === "" ? titleOf(query) : shortened(title, MAX_TITLE);
}

/** Creates a title from the first line of a query: at most 10 words, or 20 characters for Chinese, then “…”. */
export function titleOf(query: string): string {
  const line = query.trim().split("\n", 1)[0] ?? "";
  const isCjk = /[\u3400-\u9fff]/.test(line);
  const [parts, most, between] = isCjk ? [[...line], 20, ""] : [line.split(/\s+/), 10, " "];
  const title = shortened(parts.slice(0, most).join(between), MAX_TITLE);
  return parts.length <= most ? title : `${title.replace(/[\s,，、;；:：…]+$/, "")}…`;
}

/** Returns the event scope of the planning stage. */
export function placeOf(scene: Scene): Place {
  return { thread_id: scene.threadId, task_id: stageScope(scene.threadId, "planner"), agent_name: PLANNER };
}

/** Creates the event that shows planning to readers as a running tool call of the planner. */
export function planning(scene: Scene): Draft {
  return callStarted(placeOf(scene), planningCall(scene));
}

/** Creates the event that completes the planner's tool call. */
function planningOver(scene: Scene, result: string): Draft {
  return callCompleted(placeOf(scene), planningCall(scene), result);
}

/** Builds the tool call that stands for planning. Its id derives from the thread id. */
function planningCall({ threadId }: Scene): Call {
  return { tool_call_id: companion(threadId, "call"), tool_name: "generate_execution_plan" };
}

/** Creates the text event of a guidance message. */
function guidanceChunk(scene: Scene, content: string): Draft {
  return { event: "message_chunk", data: { ...placeOf(scene), role: "agent", payload: { content } } };
}
