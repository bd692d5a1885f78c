// One check of a criterion: the agent of the task runs the read-only tool, and code evaluates the result.
//
// A check is a journaled step, so each check of a task runs once, also after a crash. Its tool call is published, and
// its event is the evidence.

import { createMessage } from "../../language/messages.ts";
import { deriveId } from "../../protocol/wire/ids.ts";
import type { AgentRequest } from "../../protocol/agents/agent.ts";
import type { Criterion, CriterionCheck } from "../../protocol/plans/criterion.ts";
import { evaluateCriterion } from "../../protocol/plans/judge-criterion.ts";
import type { Task } from "../../protocol/plans/task-plan.ts";
import { truncate } from "../../lib/truncate.ts";
import { findTaskAgent } from "../turn/agent-run.ts";
import { MAX_CHECK_RESULT_CHARS } from "../turn/limit-agent-event.ts";
import { createToolCallCompleted, createToolCallStarted } from "../turn/task-events.ts";
import type { FailedCheck } from "../turn/task-outcome.ts";
import { getStageScope, type TurnContext } from "../turn/turn-context.ts";

/** The outcome of a check. `seq` is the number of the event that shows the result; null if the tool did not run. */
export type CheckOutcome = { readonly check: CriterionCheck | FailedCheck; readonly seq: number | null };

/**
 * Checks a criterion of a task. `number` distinguishes the checks of the task and counts from 0; the same number returns
 * the same outcome. Failures of the agent are a `FailedCheck`. Rejects only for errors of the journal.
 */
export async function checkCriterion(
  turn: TurnContext,
  task: Task,
  criterion: Criterion,
  number: number,
): Promise<CheckOutcome> {
  const { task_id, agent_name: agentName } = task;
  const scope = { ...getStageScope(turn.threadId, "verification"), agent_name: agentName };
  const callId = `${task_id}/check-${number}`;
  const spec = { name: `check:${task_id}#${number}`, scope: scope.task_id, agentName, isAtomic: true };
  const check = await turn.ports.step<CriterionCheck | FailedCheck>(spec, async () => {
    const found = await runLookup(turn, task, buildCheckRequest(turn, task, criterion, number));
    if ("error" in found) return { value: found, closing: [] };
    const call = {
      tool_call_id: callId,
      tool_name: criterion.tool,
      tool_arguments: JSON.stringify(criterion.arguments),
    };
    const closing = [createToolCallStarted(scope, call), createToolCallCompleted(scope, call, found.result)];
    return { value: { ...found, holds: evaluateCriterion(criterion, found.result) }, closing };
  });
  return { check, seq: turn.findResultSeq(callId) };
}

function buildCheckRequest(turn: TurnContext, task: Task, criterion: Criterion, number: number): AgentRequest {
  const { language, timezone } = turn.request;
  const id = `${task.task_id}-check-${number}`;
  return {
    message_id: id,
    task_id: id,
    conversation_id: deriveId(task.task_id, "conv"),
    query: `${criterion.tool} ${JSON.stringify(criterion.arguments)}`,
    metadata: {
      user_id: turn.userId,
      scope: "read_only",
      check: { tool: criterion.tool, arguments: criterion.arguments },
      ...(language === undefined ? {} : { language }),
      ...(timezone === undefined ? {} : { timezone }),
    },
  };
}

/** Runs the lookup on the task's agent and returns the result of its tool. */
async function runLookup(
  turn: TurnContext,
  task: Task,
  request: AgentRequest,
): Promise<{ readonly result: string } | FailedCheck> {
  const { ports, signal } = turn;
  const failCheck = (reason?: string): FailedCheck => ({
    error: reason ?? ports.formatMessage(createMessage("verification.checkNotRun")),
  });
  const agent = findTaskAgent(turn, task);
  if (agent?.enabled !== true) return failCheck();
  let result: string | undefined;
  const signals = AbortSignal.any([signal, turn.taskSignal(task.task_id)]);
  for await (const event of ports.agents.run(agent, request, signals)) {
    if (event.type === "failed") return failCheck(event.reason);
    if (event.type === "tool_completed" && event.ran !== false) result = event.result;
  }
  return result === undefined ? failCheck() : { result: truncate(result, MAX_CHECK_RESULT_CHARS) };
}
