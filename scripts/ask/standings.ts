// What components tell of plans that react: how their tasks stand, by name, each told once.

import * as z from "zod";
import { PLAN_TASK } from "../../src/protocol/plan-instance.ts";

const taskSchema = z.object({ task_id: z.string(), name: z.string(), status: z.string() });
const linkSchema = z.object({ plan_instance_id: z.string(), name: z.string(), tasks: z.array(taskSchema) });

type Component = { readonly component_type: string; readonly content: string };

/** Returns what is new in a component, one line each; null for components that tell nothing of plans. */
export function createStandings() {
  const known = new Map<string, string>();
  const isNews = (key: string, value: string): boolean => {
    if (known.get(key) === value) return false;
    known.set(key, value);
    return true;
  };
  return ({ component_type, content }: Component, itemId: string): readonly string[] | null => {
    if (component_type === PLAN_TASK) {
      const task = taskSchema.safeParse(parsed(content)).data;
      return task === undefined ? null : news([task], itemId);
    }
    if (component_type !== "plan_instance_link") return null;
    const link = linkSchema.safeParse(parsed(content)).data;
    if (link === undefined) return null;
    const begins = isNews(itemId, "") ? [`${link.name} (${link.plan_instance_id})`] : [];
    return [...begins, ...news(link.tasks, itemId)];
  };

  function news(tasks: readonly z.infer<typeof taskSchema>[], itemId: string): string[] {
    return tasks
      .filter(({ task_id, status }) => isNews(`${itemId}/${task_id}`, status) && status !== "NotStarted")
      .map(({ name, status }) => `${name}: ${status}`);
  }
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
