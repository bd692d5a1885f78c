// Orders about schedules that exist: whether the person gave them, how the person is asked, and how they are carried out.
//
// P1: a model names the action and the schedules, and it may have read text of others. An order is carried out without a
// question only if the person's own words, read by code, name this action and these schedules.

import * as z from "zod";
import { isSameJson } from "../../lib/json-value.ts";
import { detectLanguage } from "../../language/detect-language.ts";
import { createMessage } from "../../language/messages.ts";
import { describeRunTime, describeSchedule } from "../../language/schedules/describe-schedule.ts";
import { findNamedSchedules, parseNewTimes } from "../../language/schedules/match-schedules.ts";
import { parseScheduleCommand, ORDER_ACTIONS, type OrderAction } from "../../language/schedules/schedule-command.ts";
import { scheduleConfigSchema, type ScheduleConfig } from "../../protocol/schedules/schedule-config.ts";
import { REMINDER_AGENT, scheduleSchema, type Schedule } from "../../protocol/schedules/schedule.ts";
import type { ScheduleEdit } from "../ports.ts";
import type { TurnContext } from "../turn/turn-context.ts";

/** An order about schedules. `config` is set exactly for the action `change`. */
const orderTargetSchema = z.object({ schedule: scheduleSchema, config: scheduleConfigSchema.optional() });
export const scheduleOrderSchema = z.object({
  action: z.enum(ORDER_ACTIONS),
  targets: z.array(orderTargetSchema),
});
export type ScheduleOrder = z.infer<typeof scheduleOrderSchema>;

/** Returns the schedules to which an action can apply. */
export function filterByAction<S extends Pick<Schedule, "status">>(
  action: OrderAction,
  schedules: readonly S[],
): readonly S[] {
  switch (action) {
    case "pause":
      return schedules.filter(({ status }) => status === "active");
    case "resume":
      return schedules.filter(({ status }) => status === "paused");
    case "show":
    case "change":
    case "end":
      return schedules.filter(({ status }) => status !== "completed");
  }
}

/** The words "in 10 minutes" are read twice, by model and by code: single times may differ by this much. */
const READING_TOLERANCE_MS = 120_000;

function isSameConfig({ run_at: at, ...read }: ScheduleConfig, given: ScheduleConfig | undefined): boolean {
  const { run_at: other, ...rest } = given ?? {};
  const distance = at === undefined || other === undefined ? 0 : Math.abs(Date.parse(at) - Date.parse(other));
  return (at === undefined) === (other === undefined) && distance < READING_TOLERANCE_MS && isSameJson(read, rest);
}

const isReminder = ({ agent_name: agent }: Schedule): boolean => agent === REMINDER_AGENT;

/** True if the person's message, read by code, is this order. `listed` are all schedules of the person. */
function isOrderOfPerson(turn: TurnContext, { action, targets }: ScheduleOrder, listed: readonly Schedule[]): boolean {
  const { message, timezone } = turn.request;
  const command = parseScheduleCommand(message);
  if (command?.action !== action) return false;
  const isSameTime = ({ schedule, config }: ScheduleOrder["targets"][number]): boolean => {
    const times = parseNewTimes(command.times, schedule, timezone, turn.ports.now());
    return "config" in times && isSameConfig(times.config, config);
  };
  if (action === "change" && !targets.every(isSameTime)) return false;
  const found = findNamedSchedules(command.object, filterByAction(action, listed), isReminder);
  const here = found.filter(({ conversation_id: id }) => id === turn.conversationId);
  const answers = turn.answers().map((answer) => answer.message);
  const named = answers.reduce<readonly Schedule[]>(
    (found, answer) => (found.length > 1 ? findNamedSchedules(answer, found) : found),
    command.isAll || here.length === 0 ? found : here,
  );
  if (!command.isAll && named.length > 1) return false;
  return targets.every(({ schedule }) => named.some(({ schedule_id: id }) => id === schedule.schedule_id));
}

/** Returns the yes-or-no question about an order; null if it changes nothing or the person gave it. */
export function createOrderQuestion(
  turn: TurnContext,
  order: ScheduleOrder,
  listed: readonly Schedule[],
): { readonly question: string; readonly options: readonly string[] } | null {
  if (order.action === "show" || isOrderOfPerson(turn, order, listed)) return null;
  const list = order.targets.map(({ schedule, config }) => `- ${describeTarget(turn, schedule, config)}`).join("\n");
  const { formatMessage } = turn.ports;
  return {
    question: formatMessage(createMessage("schedule.confirmOrder", { action: order.action, list })),
    options: [createMessage("schedule.confirmAnswer"), createMessage("schedule.declineAnswer")].map((option) =>
      formatMessage(option),
    ),
  };
}

/** Describes a schedule without its next run, with the new times if there are any. */
function describeTarget(turn: TurnContext, schedule: Schedule, config?: ScheduleConfig): string {
  const { message, language, timezone } = turn.request;
  const spoken = detectLanguage(message, language);
  const words = describeSchedule(config ?? schedule.schedule_config, timezone, spoken);
  return turn.ports.formatMessage(createMessage("schedule.target", { title: schedule.title, schedule: words }));
}

/**
 * Carries out an order and returns the sentences about it. Idempotent, because the step that calls it may run again
 * after a crash: a schedule that no longer exists counts as ended.
 */
export async function applyOrder(turn: TurnContext, { action, targets }: ScheduleOrder): Promise<string> {
  const { formatMessage } = turn.ports;
  if (targets.length === 0) return formatMessage(createMessage("schedule.noneExist"));
  const lines: string[] = [];
  for (const { schedule, config } of targets) {
    const edit = toEdit(action, config);
    const changed = edit === null ? schedule : await turn.ports.schedules.change(schedule, edit);
    lines.push(`- ${changed === null ? describeTarget(turn, schedule) : describeState(turn, changed)}`);
  }
  return formatMessage(createMessage("schedule.orderDone", { action, list: lines.join("\n") }));
}

function toEdit(action: OrderAction, config: ScheduleConfig | undefined): ScheduleEdit | null {
  switch (action) {
    case "show":
      return null;
    case "end":
      return { kind: "end" };
    case "pause":
      return { kind: "update", patch: { status: "paused" } };
    case "resume":
      return { kind: "update", patch: { status: "active" } };
    case "change":
      return { kind: "update", patch: config === undefined ? {} : { schedule_config: config } };
  }
}

/** Describes a schedule with its times and its next run or state. */
function describeState(turn: TurnContext, schedule: Schedule): string {
  const { ports, request } = turn;
  const { schedule_config: config, next_run_at: next, status } = schedule;
  const target = describeTarget(turn, schedule);
  if (status === "paused") return ports.formatMessage(createMessage("schedule.pausedTarget", { target }));
  if (next === undefined) return target;
  const language = detectLanguage(request.message, request.language);
  const time = describeRunTime(next, ports.now(), config.timezone ?? request.timezone, language);
  return ports.formatMessage(createMessage("schedule.nextOfTarget", { target, time }));
}
