// Runs a listener with a criterion: check, work, check.
//
// The criterion is rendered when the listener starts. A listener whose criterion does not hold after the work has failed,
// so the retries of the workflow repeat it, with the evidence in the context of its agent.

import { createMessage } from "../../language/messages.ts";
import type { Criterion } from "../../protocol/plans/criterion.ts";
import type { Task } from "../../protocol/plans/task-plan.ts";
import type { Listener, WorkflowTaskContext } from "../../protocol/workflows/workflow-template.ts";
import { truncateWithEllipsis } from "../../lib/truncate.ts";
import type { CheckedCriterion, TaskOutcome, WaitingTask } from "../turn/task-outcome.ts";
import { endTask, runTaskSegment, type TaskOptions } from "../turn/task-segment.ts";
import { findTaskAgent } from "../turn/agent-run.ts";
import type { TurnContext } from "../turn/turn-context.ts";
import { checkCriterion } from "../verify/check-criterion.ts";
import { buildEvidence } from "../verify/run-checked-task.ts";
import type { WorkflowInstance } from "./instance-components.ts";
import type { InstanceState } from "./instance-state.ts";
import { findPlaceholders, replacePlaceholders, resolvePlaceholder, type ContextLookup } from "./render-template.ts";

const MAX_RESULT_CHARS = 300;

/** Returns the criterion of a listener with its values; null if it has none or its agent runs no checks. */
export function renderListenerCriterion(
  turn: TurnContext,
  { compiled }: WorkflowInstance,
  { tasks }: InstanceState,
  task: Task,
  { criterion }: Listener,
): Criterion | null {
  if (criterion === undefined || criterion === null || findTaskAgent(turn, task)?.checks === undefined) return null;
  const contexts: ContextLookup = (id) => tasks.get(id)?.context;
  const render = (value: WorkflowTaskContext[string]): WorkflowTaskContext[string] => {
    if (typeof value === "string") return renderText(value, contexts, compiled.mainTaskId);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(render);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, render(member)]));
  };
  const args = Object.fromEntries(Object.entries(criterion.arguments).map(([name, value]) => [name, render(value)]));
  const holds = replacePlaceholders(criterion.holds, (placeholder) =>
    formatOperand(resolvePlaceholder(placeholder, contexts, compiled.mainTaskId)),
  );
  return { tool: criterion.tool, arguments: args, holds };
}

/** Renders a text. A single placeholder becomes the value itself. */
function renderText(text: string, contexts: ContextLookup, mainTaskId: string): WorkflowTaskContext[string] {
  const [only] = findPlaceholders(text);
  const valueAt = (placeholder: NonNullable<typeof only>) =>
    (resolvePlaceholder(placeholder, contexts, mainTaskId) ?? "") as WorkflowTaskContext[string];
  if (only !== undefined && replacePlaceholders(text, () => "").trim() === "") return valueAt(only);
  return replacePlaceholders(text, (placeholder) => String(valueAt(placeholder)));
}

/** Formats a value inside a condition, where quotation marks cannot be escaped. */
function formatOperand(value: unknown): string {
  return (typeof value === "string" ? value : JSON.stringify(value ?? "")).replaceAll(/["']/g, "");
}

/** Runs one segment of a listener's task. `attempt` counts from 1. */
export async function runCheckedListener(
  turn: TurnContext,
  instance: WorkflowInstance,
  task: Task,
  waiting: WaitingTask | null,
  criterion: Criterion,
  options: TaskOptions & { readonly attempt: number },
): Promise<TaskOutcome | WaitingTask> {
  const { attempt, metadata } = options;
  await checkCriterion(turn, task, criterion, 0);
  const last = attempt === 1 ? null : (await checkCriterion(turn, task, criterion, attempt - 1)).check;
  const failed = last === null || "error" in last || last.holds ? null : last;
  const provenance = metadata?.provenance ?? { query: "", person: [], untrusted: [] };
  const evidence =
    failed === null ? {} : buildEvidence(turn, criterion, failed, toContext(metadata?.current_context), provenance);
  const outcome = await runTaskSegment(turn, instance.plan, task, waiting, new Map(), {
    ...options,
    metadata: { ...metadata, ...evidence },
    endsLater: true,
  });
  if (outcome.status !== "completed") return outcome;
  const { check } = await checkCriterion(turn, task, criterion, attempt);
  if ("error" in check || check.holds) return endTask(turn, task, outcome, options);
  const result = truncateWithEllipsis(check.result, MAX_RESULT_CHARS);
  const error = turn.ports.formatMessage(createMessage("verification.checkFailed", { tool: criterion.tool, result }));
  const { tools = [] } = outcome;
  return endTask(turn, task, { status: "failed", error, tools }, options);
}

function toContext(context: Readonly<Record<string, unknown>> = {}): WorkflowTaskContext {
  return context as WorkflowTaskContext;
}

/** Returns the evidence of a listener that is done after `attempts`. Its checks are in the journal. */
export async function readListenerEvidence(
  turn: TurnContext,
  task: Task,
  criterion: Criterion,
  attempts: number,
): Promise<CheckedCriterion> {
  const before = await checkCriterion(turn, task, criterion, 0);
  const after = await checkCriterion(turn, task, criterion, attempts);
  const seqs = [before.seq, after.seq].filter((seq) => seq !== null);
  return { criterion, before: before.check, after: after.check, attempts, seqs };
}
