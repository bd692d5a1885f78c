// What components tell: how plans that react stand, task by task, and where pages and schedules are. Each is told once.

import * as z from "zod";
import { tryParseJson } from "../../src/protocol/text/parse-json.ts";
import { INSTANCE_TASK_COMPONENT } from "../../src/protocol/workflows/workflow-instance.ts";

const taskSchema = z.object({ task_id: z.string(), name: z.string(), status: z.string() });
const linkSchema = z.object({ plan_instance_id: z.string(), name: z.string(), tasks: z.array(taskSchema) });
/** The id is null as long as it grows. */
const pageSchema = z.object({
  page_id: z.string().nullable(),
  page: z.object({ meta: z.object({ pageTitle: z.string() }) }),
});
const scheduleSchema = z.object({ task_id: z.string(), task_title: z.string(), schedule_status: z.string() });

type Component = { readonly component_type: string; readonly content: string };

/** Returns what is new in a component, one line each; null for those of which nothing more can be said. */
export function createComponentLines(url: string) {
  const known = new Map<string, string>();
  const isNews = (key: string, value: string): boolean => {
    if (known.get(key) === value) return false;
    known.set(key, value);
    return true;
  };
  const tell = (key: string, text: string): string[] => (isNews(key, text) ? [text] : []);

  return ({ component_type: type, content }: Component, itemId: string): readonly string[] | null => {
    const told = toldOf(type, tryParseJson(content), itemId);
    if (told !== null) return told;
    return isNews(itemId, type) ? null : [];
  };

  function toldOf(type: string, content: unknown, itemId: string): string[] | null {
    switch (type) {
      case INSTANCE_TASK_COMPONENT: {
        const task = taskSchema.safeParse(content).data;
        return task === undefined ? null : news([task], itemId);
      }
      case "plan_instance_link": {
        const link = linkSchema.safeParse(content).data;
        if (link === undefined) return null;
        return [...tell(itemId, `${link.name} (${link.plan_instance_id})`), ...news(link.tasks, itemId)];
      }
      case "page": {
        const made = pageSchema.safeParse(content).data;
        if (made === undefined) return null;
        const { page_id: id, page } = made;
        return id === null ? [] : tell(itemId, `page: ${page.meta.pageTitle}, ${url}/pages/${id}`);
      }
      case "scheduled_task_controller": {
        const schedule = scheduleSchema.safeParse(content).data;
        if (schedule === undefined) return null;
        const { task_id: id, task_title: title, schedule_status: status } = schedule;
        return tell(itemId, `schedule: ${title} (${status}), ${url}/schedules/${id}`);
      }
      default:
        return null;
    }
  }

  function news(tasks: readonly z.infer<typeof taskSchema>[], itemId: string): string[] {
    return tasks
      .filter(({ task_id, status }) => isNews(`${itemId}/${task_id}`, status) && status !== "NotStarted")
      .map(({ name, status }) => `${name}: ${status}`);
  }
}
