// The shape and the validation of plan proposals, by models and by code.

import * as z from "zod";
import type { Agent } from "../../protocol/agents/agent.ts";
import type { SendCommand } from "../../protocol/wire/commands.ts";
import { scheduleConfigSchema, type ScheduleConfig } from "../../protocol/schedules/schedule-config.ts";
import { criterionSchema, type Criterion } from "../../protocol/plans/criterion.ts";
import { findCriterionProblem } from "../../protocol/plans/judge-criterion.ts";
import { findCycle } from "../../lib/graph.ts";
import { visibleLineSchema } from "../../lib/title.ts";
import { createMessage, type Message } from "../../language/messages.ts";
import { parseSchedule } from "../../language/schedules/parse-schedule.ts";
import { REMINDER_AGENT } from "../../protocol/schedules/schedule.ts";
import { findScheduleProblem } from "../schedules/next-run.ts";
import { findAgentProblem, resolveAgentName } from "./find-agent.ts";
import type { TurnContext } from "./turn-context.ts";

/** True if triage and planner may choose the agent: enabled, not hidden, and not a passthrough agent. */
export function isPlannable(agent: Agent): boolean {
  return agent.enabled && !agent.hidden && !agent.planner_passthrough;
}

/**
 * A task as a model proposes it. `schedule_config` is validated by `parseTaskSchedule`, which gives better messages.
 */
const proposedTaskSchema = z.object({
  id: z.coerce.string(),
  title: visibleLineSchema.default(""),
  query: z
    .string()
    .min(1)
    .refine((query) => query.trim() !== "", "must not be empty"),
  agent_name: z.string(),
  depends_on: z.array(z.coerce.string()).default([]),
  pattern: z.enum(["once", "recurring"]).default("once"),
  schedule_config: z.unknown().optional(),
  /** Validated by `selectCriterion`: a criterion that proves nothing is left out, because the agent can state one. */
  criterion: z.unknown().optional(),
});
/** A task as a model or the runtime proposes it. Its `id` is local to the proposal. */
export type ProposedTask = z.infer<typeof proposedTaskSchema>;

/** The fields of a proposal, all optional for lenient parsing of model output. */
const proposalFieldsSchema = z.object({
  tasks: z.array(proposedTaskSchema).default([]),
  adequate: z.boolean().default(true),
  reason: z.string().default(""),
  guidance_message: z.string().nullish(),
  verify: z.boolean().nullish(),
});
/** A plan as a model or the runtime proposes it, before validation. */
export type PlanProposal = z.infer<typeof proposalFieldsSchema>;

/**
 * Requires tasks, a reason, guidance, or `adequate: false`: the person must learn why there are no tasks, and misnamed
 * arguments produce none of them.
 */
export const proposalSchema = proposalFieldsSchema.refine(
  ({ tasks, adequate, reason, guidance_message: guidance }) =>
    tasks.length > 0 || !adequate || reason.trim() !== "" || (guidance ?? "").trim() !== "",
  "There are no tasks and no reason: give tasks, or adequate false with a guidance_message.",
);

/** The schema of a proposal in the tool declaration; it describes `schedule_config` in full. */
export const proposalToolSchema = proposalFieldsSchema.extend({
  tasks: z.array(
    proposedTaskSchema.extend({
      schedule_config: scheduleConfigSchema.nullish(),
      criterion: criterionSchema.nullish(),
    }),
  ),
});

/** True if a proposed task is a schedule: it recurs, or it states the time of its single run. */
export function isScheduled({ pattern, schedule_config: config }: Pick<ProposedTask, "pattern" | "schedule_config">) {
  return pattern === "recurring" || (typeof config === "object" && config !== null && "run_at" in config);
}

/**
 * Parses the schedule of a proposed task, as text or as an object. A schedule other than an interval gets the person's
 * time zone if it names none. Returns null if the task does not recur or has no schedule; returns `problem` if it is
 * invalid.
 */
export function parseTaskSchedule(
  { pattern, schedule_config: given }: Pick<ProposedTask, "pattern" | "schedule_config">,
  { timezone }: Pick<SendCommand, "timezone">,
): { readonly config: ScheduleConfig } | { readonly problem: Message } | null {
  if (!isScheduled({ pattern, schedule_config: given }) || given === undefined || given === null) return null;
  if (typeof given === "string") return parseSchedule(given, timezone);
  const problem = findScheduleProblem(given, timezone);
  if (problem !== null) return { problem };
  const config = scheduleConfigSchema.parse(given);
  const isClocked = config.interval_minutes === undefined;
  return { config: isClocked && timezone !== undefined ? { timezone, ...config } : config };
}

/** Returns the criterion of a proposed task if its agent has the tool and it would prove the task; otherwise undefined. */
export function selectCriterion(
  { query, agent_name, criterion }: Pick<ProposedTask, "query" | "agent_name" | "criterion">,
  agents: readonly Agent[],
  texts: readonly string[],
): Criterion | undefined {
  const tools = agents.find(({ name }) => name === agent_name)?.checks?.tools ?? [];
  const { data: proposed } = criterionSchema.safeParse(criterion);
  if (proposed === undefined || !tools.some(({ name }) => name === proposed.tool)) return undefined;
  return findCriterionProblem(proposed, query, texts) === null ? proposed : undefined;
}

/** Returns a proposal whose tasks have the names of their agents; names that mean none or several agents stay. */
export function resolveProposedAgents(proposal: PlanProposal, agents: readonly Agent[]): PlanProposal {
  const tasks = proposal.tasks.map((task) => ({ ...task, agent_name: resolveAgentName(agents, task.agent_name) }));
  return { ...proposal, tasks };
}

/** The fields of a proposed task that are validated. */
type TaskDraft = Pick<ProposedTask, "id" | "agent_name" | "depends_on" | "pattern" | "schedule_config">;
type ProposalContext = Pick<TurnContext, "limits" | "agents" | "request">;

/**
 * Returns the first problem of a list of proposed tasks, or null. Checks the number of tasks, then ids, agents,
 * dependencies, schedules and cycles. `agents` are the agents that may be chosen. A recurring task must be independent.
 */
export function findProposalProblem(
  tasks: readonly TaskDraft[],
  agents: readonly Agent[],
  turn: ProposalContext,
): Message | null {
  const limit = turn.limits.maxTasks;
  if (tasks.length > limit) return createMessage("plan.tooManyTasks", { count: tasks.length, limit });
  const ids = tasks.map((task) => task.id);
  const duplicate = ids.find((id, i) => ids.indexOf(id) !== i);
  if (duplicate !== undefined) return createMessage("plan.duplicateTask", { id: duplicate });
  for (const task of tasks) {
    const wrongAgent = isReminder(task, turn) ? null : findAgentProblem(agents, turn.agents, task.agent_name);
    const problem = wrongAgent ?? findTaskProblem(task, tasks, turn);
    if (problem !== null) return problem;
  }
  const cycle = findCycle(new Map(tasks.map((task) => [task.id, task.depends_on])));
  return cycle === null ? null : createMessage("plan.dependencyCycle", { path: cycle.join(" → ") });
}

/** True if a task is a reminder: it needs no agent, because the runtime writes its text at its times. */
function isReminder(task: TaskDraft, { request }: ProposalContext): boolean {
  return task.agent_name === REMINDER_AGENT && parseTaskSchedule(task, request) !== null;
}

/** Returns the first problem of a task's dependencies and schedule, or null. */
function findTaskProblem(task: TaskDraft, tasks: readonly TaskDraft[], turn: ProposalContext): Message | null {
  const dangling = task.depends_on.find((id) => !tasks.some((other) => other.id === id));
  if (dangling !== undefined) return createMessage("plan.unknownDependency", { task: task.id, dependency: dangling });
  const schedule = parseTaskSchedule(task, turn.request);
  if (schedule === null) return null;
  if ("problem" in schedule) return schedule.problem;
  const isAlone = task.depends_on.length === 0 && !tasks.some(({ depends_on: needs }) => needs.includes(task.id));
  return isAlone ? null : createMessage("plan.recurringDependency", { task: task.id });
}
