// What a plan may be, whoever proposed it.

import * as z from "zod";
import type { Agent } from "../protocol/agent.ts";
import { scheduleConfigSchema } from "../protocol/plan.ts";
import type { Scene } from "./scene.ts";

/** Enabled, and neither hidden nor a passthrough agent: what triage and planner may choose. */
export function isPlannable(agent: Agent): boolean {
  return agent.enabled && !agent.hidden && !agent.planner_passthrough;
}

const briefSchema = z.object({
  id: z.coerce.string(),
  title: z.string().default(""),
  query: z.string().min(1),
  agent_name: z.string(),
  depends_on: z.array(z.coerce.string()).default([]),
  pattern: z.enum(["once", "recurring"]).default("once"),
  schedule_config: scheduleConfigSchema.nullish(),
});
export type Brief = z.infer<typeof briefSchema>;

export const proposalSchema = z.object({
  tasks: z.array(briefSchema).default([]),
  adequate: z.boolean().default(true),
  reason: z.string().default(""),
  guidance_message: z.string().nullish(),
});
export type Proposal = z.infer<typeof proposalSchema>;

/** The first thing that makes a list of tasks unacceptable, in words; null when nothing does. */
export function problemOf(
  tasks: readonly Pick<Brief, "id" | "agent_name" | "depends_on" | "pattern">[],
  agents: readonly Agent[],
  scene: Pick<Scene, "limits" | "agents">,
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
    if (task.pattern === "recurring") return "Work that recurs cannot be set up yet. Ask for it once, without a time.";
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
