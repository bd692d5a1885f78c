// The outcomes of planning: a plan, a guidance message, a refusal, or a question to the person.

import type { SendCommand } from "../../protocol/wire/commands.ts";
import { deriveId } from "../../protocol/wire/ids.ts";
import type { Plan, Task } from "../../protocol/plans/task-plan.ts";
import { truncateWithEllipsis } from "../../lib/truncate.ts";
import { createMessage, type Message } from "../../language/messages.ts";
import { detectLanguage } from "../../language/detect-language.ts";
import {
  isPlannable,
  findProposalProblem,
  parseTaskSchedule,
  selectCriterion,
  type ProposedTask,
  type PlanProposal,
} from "./plan-proposal.ts";
import type { Criterion } from "../../protocol/plans/criterion.ts";
import { exceedsJsonBytes, MAX_EVENT_TEXT_BYTES } from "../log/event-size.ts";
import type { EventDraft, StepOutcome } from "../ports.ts";
import { buildPlan, buildTask } from "./build-plan.ts";
import { getStageScope, type TurnContext } from "./turn-context.ts";
import { formatConfirmation, type RecurringTask } from "../schedules/schedule-confirmation.ts";
import { ArgumentExaminer } from "../../protocol/provenance/examine-arguments.ts";
import { scheduleConfigSchema } from "../../protocol/schedules/schedule-config.ts";
import { escapeHiddenControls } from "../../lib/escape-invisible.ts";
import { listTurnTexts } from "./provenance.ts";
import { createToolCallCompleted, createToolCallStarted, type ToolCallPayload } from "./task-events.ts";

/** A final decision of planning. It is journaled as the value of a step. */
export type PlanningDecision =
  | { readonly kind: "ready"; readonly plan: Plan }
  /** No tasks; a guidance message for the person was published. */
  | { readonly kind: "guided" }
  /** No acceptable plan; `plan_failed` was published with the reason. */
  | { readonly kind: "refused" };

/** The outcome of planning: a decision, or the id of the question that is still open. */
export type PlanningOutcome = PlanningDecision | { readonly kind: "paused"; readonly request_id: string };

/**
 * Validates a proposal and returns the step outcome: `ready` with the plan, `guided` if it has no tasks or is
 * inadequate, or `refused` (`plan_refused`) with the first problem. Hidden and passthrough agents are accepted only if
 * `isNamed`, disabled ones never. Mints ids, so call it inside a step.
 */
export function evaluateProposal(
  turn: TurnContext,
  proposal: PlanProposal,
  query: string,
  isNamed: boolean,
): StepOutcome<PlanningDecision> {
  if (!proposal.adequate || proposal.tasks.length === 0) {
    const guidance = proposal.guidance_message ?? "";
    const fallback = proposal.reason !== "" ? proposal.reason : createMessage("plan.noSuitableAgent");
    return createGuidanceOutcome(turn, guidance !== "" ? guidance : fallback);
  }
  const candidates = turn.agents.filter((agent) => isNamed || isPlannable(agent));
  const problem = findProposalProblem(proposal.tasks, candidates, turn);
  if (problem !== null) return createRefusedOutcome(turn, problem, "plan_refused");
  const plan = buildProposedPlan(turn, proposal, query, !isNamed);
  if (exceedsJsonBytes(plan, MAX_EVENT_TEXT_BYTES)) {
    const megabytes = MAX_EVENT_TEXT_BYTES / 1_048_576;
    return createRefusedOutcome(turn, createMessage("plan.tooLarge", { megabytes }), "plan_refused");
  }
  const closing: EventDraft[] = [createPlanningCompleted(turn, "Completed")];
  if (plan.guidance_message !== undefined) closing.push(createGuidanceEvent(turn, plan.guidance_message));
  closing.push({
    event: "plan_created",
    data: { ...getStageScope(turn.threadId, "planner"), role: "agent", payload: { plan } },
  });
  return { value: { kind: "ready", plan }, closing };
}

/**
 * Returns the question that confirms the recurring tasks of a proposal, with its options (F36). A single run needs none.
 * It quotes the tasks that
 * come from earlier answers instead of the person (P1). Returns null if no task recurs, if the proposal is not acceptable,
 * or if the person has confirmed and no task is quoted.
 */
export function createConfirmationQuestion(
  turn: TurnContext,
  { adequate, tasks }: PlanProposal,
  isConfirmed: boolean,
): { readonly question: string; readonly options: readonly string[] } | null {
  const { request } = turn;
  const briefs = tasks.filter((brief) => resolveRecurrence(brief, request).pattern === "recurring");
  const recurring = briefs.flatMap((brief): RecurringTask[] => {
    const { schedule_config } = resolveRecurrence(brief, request);
    return schedule_config === undefined ? [] : [{ title: getTaskTitle(brief), schedule_config }];
  });
  if (!adequate || recurring.length === 0) return null;
  const foreign = briefs.filter((brief) => isForeignTask(turn, brief));
  const isOnce = recurring.every(({ schedule_config: { run_at } }) => run_at !== undefined);
  if ((isConfirmed || isOnce) && foreign.length === 0) return null;
  if (findProposalProblem(tasks, turn.agents.filter(isPlannable), turn) !== null) return null;
  const language = detectLanguage(request.message, request.language);
  const question = formatConfirmation(recurring, turn.ports.now(), request.timezone, language);
  const options = [createMessage("schedule.confirmAnswer"), createMessage("schedule.declineAnswer")];
  const quotes = foreign.map(({ query }) =>
    createMessage("schedule.foreignTask", { query: escapeHiddenControls(query) }),
  );
  const parts = [question, ...quotes.map((quote) => turn.ports.formatMessage(quote))];
  return { question: parts.join("\n\n"), options: options.map((option) => turn.ports.formatMessage(option)) };
}

/** True if a proposed task contains parts of earlier answers, or nothing of the person although there are answers. */
function isForeignTask(turn: TurnContext, { title, query, schedule_config }: ProposedTask): boolean {
  const texts = listTurnTexts(turn);
  if (texts.untrusted.length === 0) return false;
  const keys = new Set(["title", "query", "schedule_config", ...Object.keys(scheduleConfigSchema.shape)]);
  const { origins, hasPersonValue } = new ArgumentExaminer().examine({ title, query, schedule_config }, texts, keys);
  return origins.length > 0 || !hasPersonValue;
}

/** Creates the `guided` outcome for a person who declined the proposed plan. */
export function createDeclinedOutcome(turn: TurnContext): StepOutcome<PlanningDecision> {
  return createGuidanceOutcome(turn, createMessage("plan.declined"));
}

/** Creates the `guided` outcome: a message to the person instead of a plan. */
export function createGuidanceOutcome(turn: TurnContext, message: Message | string): StepOutcome<PlanningDecision> {
  const guidance = turn.ports.formatMessage(message);
  return {
    value: { kind: "guided" },
    closing: [createPlanningCompleted(turn, `Reason: ${guidance}`), createGuidanceEvent(turn, guidance)],
  };
}

/**
 * Creates the `refused` outcome: completes the planning call and publishes `plan_failed` with the reason and the code.
 */
export function createRefusedOutcome(
  turn: TurnContext,
  reason: Message | string,
  code: string,
): StepOutcome<PlanningDecision> {
  const content = turn.ports.formatMessage(reason);
  return {
    value: { kind: "refused" },
    closing: [
      createPlanningCompleted(turn, `Reason: ${content}`),
      { event: "plan_failed", data: { thread_id: turn.threadId, role: "system", payload: { content, code } } },
    ],
  };
}

/** Returns the schedule of a task; `once` if it has none or if its schedule is invalid. */
function resolveRecurrence(brief: ProposedTask, request: SendCommand): Pick<Task, "pattern" | "schedule_config"> {
  const schedule = parseTaskSchedule(brief, request);
  if (schedule === null || "problem" in schedule) return { pattern: "once" };
  return { pattern: "recurring", schedule_config: schedule.config };
}

/** Builds the plan of an accepted proposal. Mints the ids; the caller runs it inside a step, so they are stable. */
function buildProposedPlan(turn: TurnContext, proposal: PlanProposal, query: string, isHandoff: boolean): Plan {
  const { ports, request } = turn;
  const created_at = ports.now();
  const plan_id = ports.mint("plan");
  const ids = new Map(proposal.tasks.map((task) => [task.id, ports.mint("task")]));
  const getTaskId = (id: string): string => ids.get(id) ?? id;
  const tasks = proposal.tasks.map((brief): Task => {
    const { query, agent_name } = brief;
    const fields = { task_id: getTaskId(brief.id), plan_id, title: getTaskTitle(brief), query, agent_name, created_at };
    return buildTask(turn, {
      ...fields,
      ...(isHandoff ? {} : { conversation_id: turn.conversationId }),
      depends_on: brief.depends_on.map(getTaskId),
      ...resolveRecurrence(brief, request),
      ...copyCriterion(selectCriterion(brief, turn.agents, [request.message])),
      handoff_from_super_agent: isHandoff,
    });
  });
  const guidance = proposal.guidance_message ?? "";
  return buildPlan(turn, {
    plan_id,
    query,
    reasoning: proposal.reason,
    ...(guidance === "" ? {} : { guidance_message: guidance }),
    ...((request.verify ?? proposal.verify ?? false) ? { verify: true } : {}),
    created_at,
    tasks,
  });
}

function copyCriterion(criterion: Criterion | undefined): Pick<Task, "criterion"> {
  return criterion === undefined ? {} : { criterion };
}

/** The maximum length of any task title in characters. */
const MAX_TITLE_CHARS = 120;

/** Returns the proposed title, truncated; if it is blank, a title made from the query. */
function getTaskTitle({ title, query }: ProposedTask): string {
  return title.trim() === "" ? createTitle(query) : truncateWithEllipsis(title, MAX_TITLE_CHARS);
}

/**
 * Creates a title from the first line of a query: at most 10 words, or 20 characters if it contains Chinese, and at
 * most `MAX_TITLE_CHARS` characters. “…” marks a cut.
 */
export function createTitle(query: string): string {
  const line = query.trim().split("\n", 1)[0] ?? "";
  const isCjk = /[\u3400-\u9fff]/.test(line);
  const [parts, maxParts, separator] = isCjk ? [[...line], 20, ""] : [line.split(/\s+/), 10, " "];
  const title = truncateWithEllipsis(parts.slice(0, maxParts).join(separator), MAX_TITLE_CHARS);
  return parts.length <= maxParts ? title : `${title.replace(/[\s,，、;；:：…]+$/, "")}…`;
}

/** Creates the event that shows planning to readers as a running tool call of the planner. */
export function createPlanningStarted(turn: TurnContext): EventDraft {
  return createToolCallStarted(getStageScope(turn.threadId, "planner"), buildPlanningCall(turn));
}

/** Creates the event that completes the planner's tool call. */
function createPlanningCompleted(turn: TurnContext, result: string): EventDraft {
  return createToolCallCompleted(getStageScope(turn.threadId, "planner"), buildPlanningCall(turn), result);
}

/** Builds the tool call that stands for planning. Its id derives from the thread id. */
function buildPlanningCall({ threadId }: TurnContext): ToolCallPayload {
  return { tool_call_id: deriveId(threadId, "call"), tool_name: "generate_execution_plan" };
}

/** Creates the text event of a guidance message. */
function createGuidanceEvent(turn: TurnContext, content: string): EventDraft {
  return {
    event: "message_chunk",
    data: { ...getStageScope(turn.threadId, "planner"), role: "agent", payload: { content } },
  };
}
