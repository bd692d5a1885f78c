// The tools by which the planner's model reads and changes the person's schedules.

import * as z from "zod";
import { formatMessage } from "../../language/messages.ts";
import { parseNewTimes } from "../../language/schedules/match-schedules.ts";
import { ORDER_ACTIONS } from "../../language/schedules/schedule-command.ts";
import { formatUntrusted } from "../../protocol/provenance/untrusted-block.ts";
import { scheduleConfigSchema, type ScheduleConfig } from "../../protocol/schedules/schedule-config.ts";
import type { Schedule } from "../../protocol/schedules/schedule.ts";
import { createToolSpec, parseToolArguments } from "../models/complete-until-valid.ts";
import type { ToolCall } from "../ports.ts";
import { findScheduleProblem } from "../schedules/next-run.ts";
import { filterByAction, type ScheduleOrder } from "../schedules/schedule-order.ts";

const orderFields = {
  action: z.enum(ORDER_ACTIONS),
  /** Empty with `show`: all schedules. */
  schedule_ids: z.array(z.string()).default([]),
};
const orderArgumentsSchema = z.object({ ...orderFields, schedule_config: z.unknown().optional() });

/** The call that reads the schedules; it is answered at once. */
export const LIST_SCHEDULES_TOOL = createToolSpec(
  "list_schedules",
  "Tells the person's schedules, those of this conversation first.",
  z.object({}),
);
/** The call that ends planning with an order about existing schedules. */
export const MANAGE_SCHEDULES_TOOL = createToolSpec(
  "manage_schedules",
  "Shows, changes, pauses, resumes or ends schedules that exist. It plans no new work.",
  z.object({ ...orderFields, schedule_config: scheduleConfigSchema.nullish() }),
);

/** Formats the schedules for the model. Titles may quote others, so the list is data. */
export function formatScheduleList(schedules: readonly Schedule[], conversationId: string): string {
  const listed = schedules.map(({ schedule_id, title, query, agent_name, schedule_config, status, ...schedule }) => ({
    schedule_id,
    title,
    query,
    agent_name,
    schedule_config,
    status,
    ...(schedule.next_run_at === undefined ? {} : { next_run_at: new Date(schedule.next_run_at).toISOString() }),
    here: schedule.conversation_id === conversationId,
  }));
  return formatUntrusted("Schedules", listed);
}

/** Parses a call of `manage_schedules`. `mistake` is a sentence for the model. */
export function parseScheduleOrder(
  call: ToolCall,
  schedules: readonly Schedule[],
  { timezone, now }: { readonly timezone: string | undefined; readonly now: number },
): { readonly order: ScheduleOrder } | { readonly mistake: string } {
  const parsed = parseToolArguments(orderArgumentsSchema, call);
  if ("mistake" in parsed) return parsed;
  const { action, schedule_ids: ids, schedule_config: given } = parsed.value;
  const unknown = ids.find((id) => !schedules.some((schedule) => schedule.schedule_id === id));
  if (unknown !== undefined) return { mistake: `There is no schedule ${unknown}; call list_schedules.` };
  if (ids.length === 0 && action !== "show") return { mistake: "schedule_ids must name the schedules." };
  const named =
    ids.length === 0 ? filterByAction("show", schedules) : schedules.filter(({ schedule_id: id }) => ids.includes(id));
  if (action !== "change") return { order: { action, targets: named.map((schedule) => ({ schedule })) } };
  const targets: ScheduleOrder["targets"] = [];
  for (const schedule of named) {
    const times = resolveTimes(given, schedule, timezone, now);
    if ("mistake" in times) return times;
    targets.push({ schedule, config: times.config });
  }
  return { order: { action, targets } };
}

function resolveTimes(
  given: unknown,
  schedule: Schedule,
  zone: string | undefined,
  now: number,
): { readonly config: ScheduleConfig } | { readonly mistake: string } {
  const timezone = schedule.schedule_config.timezone ?? zone;
  if (typeof given === "string") {
    const times = parseNewTimes(given, schedule, zone, now);
    return "config" in times ? times : { mistake: formatMessage("en", times.problem) };
  }
  const problem = findScheduleProblem(given, timezone);
  if (problem !== null) return { mistake: formatMessage("en", problem) };
  const config = scheduleConfigSchema.parse(given);
  return { config: config.interval_minutes === undefined && timezone !== undefined ? { timezone, ...config } : config };
}
