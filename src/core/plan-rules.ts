// The shape and the validation of plan proposals, by models and by code.

import * as z from "zod";
import type { Agent } from "../protocol/agent.ts";
import type { Send } from "../protocol/commands.ts";
import { scheduleConfigSchema, type ScheduleConfig } from "../protocol/schedule.ts";
import { languageOf } from "../protocol/words/language.ts";
import { readScheduleText } from "../protocol/words/schedule-text.ts";
import { problemWith } from "./schedules/arithmetic.ts";
import type { Scene } from "./scene.ts";

/** True if triage and planner may choose the agent: enabled, not hidden, and not a passthrough agent. */
export function isPlannable(agent: Agent): boolean {
  return agent.enabled && !agent.hidden && !agent.planner_passthrough;
}

/**
 * A task as a model proposes it. `schedule_config` is validated by `parseTaskSchedule`, which gives better messages.
 */
const briefSchema = z.object({
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
export type Brief = z.infer<typeof briefSchema>;

/** The fields of a proposal, all optional for lenient parsing of model output. */
const proposalShape = z.object({
  tasks: z.array(briefSchema).default([]),
  adequate: z.boolean().default(true),
  reason: z.string().default(""),
  guidance_message: z.string().nullish(),
  verify: z.boolean().nullish(),
});
/** A plan as a model or the runtime proposes it, before validation. */
export type Proposal = z.infer<typeof proposalShape>;

/** Requires tasks or a reason: the person must learn why there are none, and misnamed arguments produce neither. */
export const proposalSchema = proposalShape.refine(
  ({ tasks, adequate, reason, guidance_message: guidance }) =>
    tasks.length > 0 || !adequate || reason.trim() !== "" || (guidance ?? "").trim() !== "",
  "There are no tasks and no reason: give tasks, or adequate false with a guidance_message.",
);

/** The schema of a proposal in the tool declaration; it describes `schedule_config` in full. */
export const proposalSpec = proposalShape.extend({
  tasks: z.array(briefSchema.extend({ schedule_config: scheduleConfigSchema.nullish() })),
});

/**
 * Parses the schedule of a proposed task, as text or as an object. Uses the person's time zone if it names none.
 * Returns null if the task does not recur or has no schedule; returns `problem`, a sentence for the person, if it is
 * invalid.
 */
export function scheduleIn(
  { pattern, schedule_config: given }: Pick<Brief, "pattern" | "schedule_config">,
  { timezone, message, language }: Send,
): { readonly config: ScheduleConfig } | { readonly problem: string } | null {
  if (pattern !== "recurring" || given === undefined || given === null) return null;
  if (typeof given === "string") return readScheduleText(given, timezone);
  const problem = problemWith(given, timezone, languageOf(message, language));
  if (problem !== null) return { problem };
  const config = scheduleConfigSchema.parse(given);
  const isClocked = config.interval_minutes === undefined;
  return { config: isClocked && timezone !== undefined ? { timezone, ...config } : config };
}

/**
 * Returns the first problem of a list of proposed tasks as a sentence, or null. Checks the number of tasks, ids,
 * agents, dependencies, schedules and cycles. `agents` are the agents that may be chosen.
 */
export function problemOf(
  tasks: readonly Pick<Brief, "id" | "agent_name" | "depends_on" | "pattern" | "schedule_config">[],
  agents: readonly Agent[],
  scene: Pick<Scene, "limits" | "agents" | "request">,
): string | null {
  if (tasks.length > scene.limits.maxTasks) {
    return `The plan has ${tasks.length} tasks; at most ${scene.limits.maxTasks} are allowed.`;
  }
  const ids = tasks.map((task) => task.id);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined) return `The plan has two tasks with the id ${twice}.`;
  for (const task of tasks) {
    const agent = agents.find(({ name }) => name === task.agent_name);
    const isKnown = scene.agents.some(({ name }) => name === task.agent_name);
    if (agent === undefined)
      return `The agent ${task.agent_name} ${isKnown ? "cannot be used for this" : "does not exist"}.`;
    if (!agent.enabled) return `The agent ${task.agent_name} is disabled.`;
    const dangling = task.depends_on.find((id) => !ids.includes(id));
    if (dangling !== undefined) return `Task ${task.id} depends on ${dangling}, which is not in the plan.`;
    const schedule = scheduleIn(task, scene.request);
    if (schedule === null) continue;
    if ("problem" in schedule) return schedule.problem;
    const isAlone = task.depends_on.length === 0 && !tasks.some(({ depends_on: needs }) => needs.includes(task.id));
    if (!isAlone) return `Task ${task.id} recurs, so nothing can wait for it and it cannot wait for other tasks.`;
  }
  const cycle = cycleIn(tasks);
  return cycle === null ? null : `The tasks depend on one another in a circle: ${cycle.join(" → ")}.`;
}

/** Returns a dependency cycle as a path of ids, or null. Removes tasks in topological order and walks the rest. */
function cycleIn(tasks: readonly Pick<Brief, "id" | "depends_on">[]): string[] | null {
  const left = new Map(tasks.map((task) => [task.id, new Set(task.depends_on)]));
  for (let size = -1; size !== left.size;) {
    size = left.size;
    for (const [id, needs] of left) if ([...needs].every((need) => !left.has(need))) left.delete(id);
  }
  const path: string[] = [];
  for (let id = [...left.keys()][0]; id !== undefined;) {
    const seen = path.indexOf(id);
    path.push(id);
    if (seen >= 0) return path.slice(seen);
    id = [...(left.get(id) ?? [])].find((need) => left.has(need));
  }
  return null;
}
