// What a plan may be, whoever proposed it.

import * as z from "zod";
import type { Agent } from "../protocol/agent.ts";
import type { Send } from "../protocol/commands.ts";
import { scheduleConfigSchema, type ScheduleConfig } from "../protocol/schedule.ts";
import { languageOf } from "../protocol/words/language.ts";
import { readScheduleText } from "../protocol/words/schedule-text.ts";
import { problemWith } from "./schedules/arithmetic.ts";
import type { Scene } from "./scene.ts";

/** Enabled, and neither hidden nor a passthrough agent: what triage and planner may choose. */
export function isPlannable(agent: Agent): boolean {
  return agent.enabled && !agent.hidden && !agent.planner_passthrough;
}

/** A task as a model proposes it. What it says of a schedule is judged in words, not by shape. */
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
export type Brief = z.infer<typeof briefSchema>;

const proposalShape = z.object({
  tasks: z.array(briefSchema).default([]),
  adequate: z.boolean().default(true),
  reason: z.string().default(""),
  guidance_message: z.string().nullish(),
  verify: z.boolean().nullish(),
});
export type Proposal = z.infer<typeof proposalShape>;

/** A person who gets no tasks is owed the reason; a call whose arguments have other names gives neither. */
export const proposalSchema = proposalShape.refine(
  ({ tasks, adequate, reason, guidance_message: guidance }) =>
    tasks.length > 0 || !adequate || reason.trim() !== "" || (guidance ?? "").trim() !== "",
  "There are no tasks and no reason: give tasks, or adequate false with a guidance_message.",
);

/** What a model is told that a proposal looks like. */
export const proposalSpec = proposalShape.extend({
  tasks: z.array(briefSchema.extend({ schedule_config: scheduleConfigSchema.nullish() })),
});

/**
 * When a task recurs; null when it does not, also when nothing says when. Any text form will do, and the person's
 * zone is meant where none is named.
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

/** The first thing that makes a list of tasks unacceptable, in words; null when nothing does. */
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

/** A circle among the dependencies as a path of ids, or null. Sorts topologically and looks at what is left. */
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
