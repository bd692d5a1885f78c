// Formats components as lines: the status of the tasks of workflow instances, and links to pages and schedules. Each
// value is printed once.

import * as z from "zod";
import { tryParseJson } from "../../src/lib/parse-json.ts";
import { INSTANCE_TASK_COMPONENT } from "../../src/protocol/workflows/workflow-instance.ts";

const taskSchema = z.object({ task_id: z.string(), name: z.string(), status: z.string() });
const linkSchema = z.object({ plan_instance_id: z.string(), name: z.string(), tasks: z.array(taskSchema) });
/** `page_id` is null until the page is complete. */
const pageSchema = z.object({
  page_id: z.string().nullable(),
  page: z.object({ meta: z.object({ pageTitle: z.string() }) }),
});
const scheduleSchema = z.object({ task_id: z.string(), task_title: z.string(), schedule_status: z.string() });

type ComponentPayload = { readonly component_type: string; readonly content: string };

/** The formatter returns a line for each changed value of a component, or null for a new component of another type. */
export function createComponentFormatter(url: string) {
  const lastValues = new Map<string, string>();
  const isChanged = (key: string, value: string): boolean => {
    if (lastValues.get(key) === value) return false;
    lastValues.set(key, value);
    return true;
  };
  const listChanged = (key: string, text: string): string[] => (isChanged(key, text) ? [text] : []);

  return ({ component_type: type, content }: ComponentPayload, itemId: string): readonly string[] | null => {
    const lines = formatComponent(type, tryParseJson(content), itemId);
    if (lines !== null) return lines;
    return isChanged(itemId, type) ? null : [];
  };

  function formatComponent(type: string, content: unknown, itemId: string): string[] | null {
    switch (type) {
      case INSTANCE_TASK_COMPONENT: {
        const task = taskSchema.safeParse(content).data;
        return task === undefined ? null : listTaskChanges([task], itemId);
      }
      case "plan_instance_link": {
        const link = linkSchema.safeParse(content).data;
        if (link === undefined) return null;
        return [
          ...listChanged(itemId, `${link.name} (${link.plan_instance_id})`),
          ...listTaskChanges(link.tasks, itemId),
        ];
      }
      case "page": {
        const parsed = pageSchema.safeParse(content).data;
        if (parsed === undefined) return null;
        const { page_id: id, page } = parsed;
        return id === null ? [] : listChanged(itemId, `page: ${page.meta.pageTitle}, ${url}/pages/${id}`);
      }
      case "scheduled_task_controller": {
        const schedule = scheduleSchema.safeParse(content).data;
        if (schedule === undefined) return null;
        const { task_id: id, task_title: title, schedule_status: status } = schedule;
        return listChanged(itemId, `schedule: ${title} (${status}), ${url}/schedules/${id}`);
      }
      default:
        return null;
    }
  }

  function listTaskChanges(tasks: readonly z.infer<typeof taskSchema>[], itemId: string): string[] {
    return tasks
      .filter(({ task_id, status }) => isChanged(`${itemId}/${task_id}`, status) && status !== "NotStarted")
      .map(({ name, status }) => `${name}: ${status}`);
  }
}
