// The shape and the validation of plan proposals, by models and by code.

import * as z from "zod";
import type { Agent } from "../protocol/agents/agent.ts";
import type { SendCommand } from "../protocol/wire/commands.ts";
import { scheduleConfigSchema, type ScheduleConfig } from "../protocol/schedules/schedule-config.ts";
import { detectLanguage } from "../protocol/language/detect-language.ts";
import { parseSchedule } from "../protocol/language/parse-schedule.ts";
import { findScheduleProblem } from "./schedules/next-run.ts";
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
  title: z.string().default(""),
  query: z
    .string()
    .min(1)
    .refine((query) => query.trim() !== "", "must not be empty"),
  agent_name: z.string(),
  depends_on: z.array(z.coerce.string()).default([]),
  pattern: z.enum(["once", "recurring"]).default("once"),
  schedule_config: z.unknown().optional(),
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

/** Requires tasks or a reason: the person must learn why there are none, and misnamed arguments produce neither. */
export const proposalSchema = proposalFieldsSchema.refine(
  ({ tasks, adequate, reason, guidance_message: guidance }) =>
    tasks.length > 0 || !adequate || reason.trim() !== "" || (guidance ?? "").trim() !== "",
  "There are no tasks and no reason: give tasks, or adequate false with a guidance_message.",
);

/** The schema of a proposal in the tool declaration; it describes `schedule_config` in full. */
export const proposalToolSchema = proposalFieldsSchema.extend({
  tasks: z.array(proposedTaskSchema.extend({ schedule_config: scheduleConfigSchema.nullish() })),
});

/**
 * Parses the schedule of a proposed task, as text or as an object. Uses the person's time zone if it names none.
 * Returns null if the task does not recur or has no schedule; returns `problem`, a sentence for the person, if it is
 * invalid.
 */
export function parseTaskSchedule(
  { pattern, schedule_config: given }: Pick<ProposedTask, "pattern" | "schedule_config">,
  { timezone, message, language }: SendCommand,
): { readonly config: ScheduleConfig } | { readonly problem: string } | null {
  if (pattern !== "recurring" || given === undefined || given === null) return null;
  if (typeof given === "string") return parseSchedule(given, timezone);
  const problem = findScheduleProblem(given, timezone, detectLanguage(message, language));
  if (problem !== null) return { problem };
  const config = scheduleConfigSchema.parse(given);
  const isClocked = config.interval_minutes === undefined;
  return { config: isClocked && timezone !== undefined ? { timezone, ...config } : config };
}

/**
 * Returns the first problem of a list of proposed tasks as a sentence, or null. Checks the number of tasks, ids,
 * agents, dependencies, schedules and cycles. `agents` are the agents that may be chosen.
 */
export function findProposalProblem(
  tasks: readonly Pick<ProposedTask, "id" | "agent_name" | "depends_on" | "pattern" | "schedule_config">[],
  agents: readonly Agent[],
  turn: Pick<TurnContext, "limits" | "agents" | "request">,
): string | null {
  if (tasks.length > turn.limits.maxTasks) {
    return `The plan has ${tasks.length} tasks; at most ${turn.limits.maxTasks} are allowed.`;
  }
  const ids = tasks.map((task) => task.id);
  const duplicate = ids.find((id, i) => ids.indexOf(id) !== i);
  if (duplicate !== undefined) return `The plan has two tasks with the id ${duplicate}.`;
  for (const task of tasks) {
    const agent = agents.find(({ name }) => name === task.agent_name);
    const isKnown = turn.agents.some(({ name }) => name === task.agent_name);
    if (agent === undefined)
      return `The agent ${task.agent_name} ${isKnown ? "cannot be used for this" : "does not exist"}.`;
    if (!agent.enabled) return `The agent ${task.agent_name} is disabled.`;
    const dangling = task.depends_on.find((id) => !ids.includes(id));
    if (dangling !== undefined) return `Task ${task.id} depends on ${dangling}, which is not in the plan.`;
    const schedule = parseTaskSchedule(task, turn.request);
    if (schedule === null) continue;
    if ("problem" in schedule) return schedule.problem;
    const isAlone = task.depends_on.length === 0 && !tasks.some(({ depends_on: needs }) => needs.includes(task.id));
    if (!isAlone) return `Task ${task.id} recurs, so nothing can wait for it and it cannot wait for other tasks.`;
  }
  const cycle = findDependencyCycle(tasks);
  return cycle === null ? null : `The tasks depend on one another in a circle: ${cycle.join(" → ")}.`;
}

/** Returns a dependency cycle as a path of ids, or null. Removes tasks in topological order and walks the rest. */
function findDependencyCycle(tasks: readonly Pick<ProposedTask, "id" | "depends_on">[]): string[] | null {
  const remaining = new Map(tasks.map((task) => [task.id, new Set(task.depends_on)]));
  for (let size = -1; size !== remaining.size;) {
    size = remaining.size;
    for (const [id, needs] of remaining) if ([...needs].every((need) => !remaining.has(need))) remaining.delete(id);
  }
  const path: string[] = [];
  for (let id = [...remaining.keys()][0]; id !== undefined;) {
    const seen = path.indexOf(id);
    path.push(id);
    if (seen >= 0) return path.slice(seen);
    id = [...(remaining.get(id) ?? [])].find((need) => remaining.has(need));
  }
  return null;
}
