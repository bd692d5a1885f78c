// The orders about schedules among the outputs of the planner's model.

import { createMessage } from "../../language/messages.ts";
import { findSchedule } from "../../language/schedules/find-schedule.ts";
import { parseScheduleCommand } from "../../language/schedules/schedule-command.ts";
import { runBudgetedStep } from "../models/budgeted-step.ts";
import { createCorrection, type ParseResult } from "../models/complete-until-valid.ts";
import type { ModelCompletion } from "../ports.ts";
import { applyOrder, type ScheduleOrder } from "../schedules/schedule-order.ts";
import { isScheduled } from "./plan-proposal.ts";
import type { PlannerOutput } from "./planner-tools.ts";
import { createGuidanceOutcome, type PlanningDecision } from "./planning-outcome.ts";
import { getStageScope, type TurnContext } from "./turn-context.ts";

/**
 * Replaces the proposal of a new schedule by a correction if the person's message is about schedules that exist: such a
 * message creates none.
 */
export function refuseNewSchedule(
  { request }: TurnContext,
  { toolCalls }: ModelCompletion,
  parsed: ParseResult<PlannerOutput>,
): ParseResult<PlannerOutput> {
  if (parsed.kind !== "outcome" || parsed.value.kind !== "proposal") return parsed;
  if (!parsed.value.proposal.tasks.some(isScheduled)) return parsed;
  const command = parseScheduleCommand(request.message);
  const isNew = command === null || !command.isCertain || findSchedule(request.message)?.when.kind === "config";
  if (isNew && command?.action !== "change") return parsed;
  return createCorrection(toolCalls, "The message is about schedules that exist: call manage_schedules.");
}

/** Carries out an order about schedules; null declines it. The step may run again after a crash, as the order may. */
export function runOrderStep(
  turn: TurnContext,
  order: ScheduleOrder | null,
  continues?: string,
): Promise<PlanningDecision> {
  const { task_id: scope, agent_name: agentName } = getStageScope(turn.threadId, "planner");
  const spec = { name: "order", scope, agentName, isAtomic: true, ...(continues === undefined ? {} : { continues }) };
  return runBudgetedStep(turn, spec, async () => {
    turn.signal.throwIfAborted();
    const unchanged = createMessage("schedule.orderDeclined");
    return createGuidanceOutcome(turn, order === null ? unchanged : await applyOrder(turn, order));
  });
}
