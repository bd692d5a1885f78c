// Runs one request on an agent and publishes its events, until the agent completes, fails or asks.
//
// `runTaskSegment` creates an `AgentRun` per task segment and passes it here; it is mutated in place.
// - Readers first receive the connect result and `task_started`, once per segment, before any output of the agent.
// - Each `checkpoint` saves the agent's state, the result so far and the used tools in the step's memo, with all events
//   published before it. A restarted segment continues from there (T4).
// - `retracted` restores the state of the last checkpoint, or of the segment's start, and publishes `task_retrying`.
// - Usage is recorded in the budget when it arrives. Events that show ongoing work check the budget first (T6).
// - Never rejects: an unexpected error is reported and becomes a failed outcome.

import { createMessage } from "../../language/messages.ts";
import type { Agent, AgentEvent, AgentRequest } from "../../protocol/agents/agent.ts";
import { criterionSchema } from "../../protocol/plans/criterion.ts";
import type { Task } from "../../protocol/plans/task-plan.ts";
import type { ToolUse } from "../../protocol/workflows/workflow-instance.ts";
import { waitForOtherWork } from "../../lib/other-work.ts";
import { splitText } from "../../lib/text-size.ts";
import { truncate } from "../../lib/truncate.ts";
import { type Budget } from "../models/budget.ts";
import { MAX_CHUNK_CHARS } from "../log/log-sequencer.ts";
import type { EventDraft, Emit, Memo, ModelDelta } from "../ports.ts";
import { toEventDraft } from "./agent-event-draft.ts";
import { limitAgentEvent } from "./limit-agent-event.ts";
import type { TurnContext } from "./turn-context.ts";
import { createConnectedEvent, getTaskScope, createRetryEvent } from "./task-events.ts";
import { QUESTION_REFUSED, BUDGET_EXCEEDED, type StatedCriterion, type TaskOutcome } from "./task-outcome.ts";
import type { DeltaWriter } from "../models/delta-writer.ts";
import { isFailure } from "../../protocol/wire/message-error.ts";

/** The state of one task segment while its agent runs. `runAgent` changes it in place. */
export type AgentRun = {
  readonly turn: TurnContext;
  readonly task: Task;
  readonly emit: Emit;
  readonly writer: DeltaWriter;
  readonly budget: Budget;
  readonly signal: AbortSignal;
  readonly memo: Memo<TaskCheckpoint>;
  /**
   * The events that open the segment, before any output of the agent; empty if the segment continues earlier output.
   */
  readonly openingEvents: readonly EventDraft[];
  /** The tools used so far; undefined if the caller does not record tools. */
  readonly tools: ToolUse[] | undefined;
  isConnected: boolean;
  readonly mayBeSilent: boolean;
  /** The criterion that the agent has stated. */
  stated: StatedCriterion | undefined;
  /** True if readers have seen output besides text: a component, a notification, or an earlier question. */
  hasVisibleOutput: boolean;
};

/** The memo of a segment: the agent's last checkpoint and the output up to it. Stored in the journal. */
export type TaskCheckpoint = {
  readonly state: string;
  readonly result: string;
  readonly remote_task_id?: string;
  readonly tools?: readonly ToolUse[];
  readonly has_shown?: true;
  readonly stated?: StatedCriterion;
};

/** The state to restore if the agent retracts its output since the last checkpoint, or since the segment's start. */
type RetractionPoint = {
  readonly result: string;
  readonly tools?: readonly ToolUse[];
  readonly hasVisibleOutput: boolean;
  /** True if there was a checkpoint; then the opening events are not retracted either. */
  readonly hasCheckpoint: boolean;
};

/** Events that show ongoing work of the agent. They are not accepted after the budget is exhausted (T6). */
const PROGRESS_EVENTS: ReadonlySet<AgentEvent["type"]> = new Set(["text", "reasoning", "tool_started"]);

/** Failure codes that only the runtime may set; they are dropped from failures of agents. */
const RUNTIME_FAILURE_CODES: ReadonlySet<string> = new Set([QUESTION_REFUSED, BUDGET_EXCEEDED]);

/** A question of the agent that is not yet published. */
export type AgentQuestion = {
  readonly status: "asks";
  readonly event: InputRequiredEvent;
  readonly remote_task_id?: string;
};
/** The agent event that asks the person. */
type InputRequiredEvent = Extract<AgentEvent, { type: "input_required" }>;

/**
 * Sends the request to the task's agent and publishes the events that return. Resolves with the outcome of the task or
 * with the agent's question, which ends the agent's run and is not published here. Fails the task if its agent was
 * removed or disabled. Never rejects.
 */
export async function runAgent(run: AgentRun, request: AgentRequest): Promise<TaskOutcome | AgentQuestion> {
  const { turn, task, emit, writer, budget, signal } = run;
  const agent = findTaskAgent(turn, task);
  if (agent === undefined || !agent.enabled) return failUnavailableAgent(run, agent);
  let result = run.memo.saved?.result ?? "";
  let retractionPoint: RetractionPoint = {
    result,
    ...copyUsedTools(run),
    hasVisibleOutput: run.hasVisibleOutput,
    hasCheckpoint: run.memo.saved !== null,
  };
  let retractions = 0;
  let remoteTaskId = run.memo.saved?.remote_task_id ?? request.reply?.remote_task_id;
  try {
    budget.check();
    for await (const whole of turn.ports.agents.run(agent, request, signal)) {
      const event = limitAgentEvent(whole, turn.ports);
      if (event.type !== "failed") publishTaskStarted(run);
      if (PROGRESS_EVENTS.has(event.type)) budget.check();
      switch (event.type) {
        case "accepted":
          remoteTaskId = event.remote_task_id ?? remoteTaskId;
          break;
        case "text":
        case "reasoning":
          if (event.type === "text") result += event.text;
          await writeInPieces(writer, event);
          break;
        case "usage":
          budget.recordUsage(`agent:${task.agent_name}`, event.usage);
          break;
        case "checkpoint":
          emit(...writer.close());
          run.memo.save({
            state: event.state,
            result,
            ...(remoteTaskId === undefined ? {} : { remote_task_id: remoteTaskId }),
            ...copyUsedTools(run),
            ...(run.hasVisibleOutput ? { has_shown: true } : {}),
            ...copyStated(run),
          });
          retractionPoint = {
            result,
            ...copyUsedTools(run),
            hasVisibleOutput: run.hasVisibleOutput,
            hasCheckpoint: true,
          };
          break;
        case "criterion": {
          const { type: _, before, ...criterion } = event;
          const accepted = criterionSchema.safeParse(criterion);
          if (accepted.success) run.stated ??= { criterion: accepted.data, before };
          break;
        }
        case "retracted":
          retractions += 1;
          retractOutput(run, retractionPoint, createRetryEvent(task, event.reason, retractions + 1));
          ({ result } = retractionPoint);
          break;
        case "input_required":
          return {
            status: "asks",
            event: event,
            ...(remoteTaskId === undefined ? {} : { remote_task_id: remoteTaskId }),
          };
        case "completed":
          return buildCompletedOutcome(run, result);
        case "failed": {
          publishConnectResult(run, `ERROR: ${event.reason}`);
          const code = event.code === undefined || RUNTIME_FAILURE_CODES.has(event.code) ? {} : { code: event.code };
          return { status: "failed", error: event.reason, ...code, ...copyUsedTools(run) };
        }
        default:
          if (event.type === "tool_completed" && event.ran !== false) appendToolUse(run.tools ?? [], event);
          if (event.type === "component" || event.type === "notification") run.hasVisibleOutput = true;
          emit(...writer.close(), toEventDraft(getTaskScope(task), event));
      }
    }
    publishTaskStarted(run);
    return buildCompletedOutcome(run, result);
  } catch (thrown) {
    const isSpent = isFailure(thrown, BUDGET_EXCEEDED);
    if (!isSpent) turn.ports.report(thrown);
    publishConnectResult(run, "ERROR");
    const { formatMessage } = turn.ports;
    if (!isSpent) return { status: "failed", error: formatMessage(createMessage("agent.notRun")) };
    return { status: "failed", error: formatMessage(thrown.text), code: BUDGET_EXCEEDED };
  }
}

/** Writes a delta in pieces of bounded length; other work runs between them. */
async function writeInPieces(writer: DeltaWriter, { type, text }: ModelDelta): Promise<void> {
  if (text.length <= MAX_CHUNK_CHARS) return writer.write({ type, text });
  for (const piece of splitText(text, MAX_CHUNK_CHARS)) {
    writer.write({ type, text: piece });
    await waitForOtherWork();
  }
}

/** Creates the completed outcome. A task without visible output gets a notice as its result and text. */
function buildCompletedOutcome(run: AgentRun, result: string): TaskOutcome {
  const { turn, writer, hasVisibleOutput, mayBeSilent } = run;
  const recorded = { ...copyUsedTools(run), ...copyStated(run) };
  if (mayBeSilent || result.trim() !== "" || hasVisibleOutput) return { status: "completed", result, ...recorded };
  const notice = turn.ports.formatMessage(createMessage("task.noOutput"));
  writer.write({ type: "text", text: notice });
  return { status: "completed", result: notice, ...recorded };
}

/** Publishes the retraction and restores the retraction point. Repeats the opening events if they were retracted. */
function retractOutput(
  run: AgentRun,
  { tools = [], hasVisibleOutput, hasCheckpoint }: RetractionPoint,
  retryEvent: EventDraft,
): void {
  run.writer.reset();
  run.emit(retryEvent);
  run.hasVisibleOutput = hasVisibleOutput;
  run.tools?.splice(0, Infinity, ...tools);
  if (hasCheckpoint || run.openingEvents.length === 0) return;
  run.emit(...run.openingEvents);
  run.isConnected = false;
  publishTaskStarted(run);
}

/** Returns `{ tools }` with a copy of the recorded tools, for spreading; {} if tools are not recorded. */
export function copyUsedTools({ tools }: AgentRun): { readonly tools?: readonly ToolUse[] } {
  return tools === undefined ? {} : { tools: [...tools] };
}

/** Returns `{ stated }` for spreading; {} without a stated criterion. */
export function copyStated({ stated }: Pick<AgentRun, "stated">): { readonly stated?: StatedCriterion } {
  return stated === undefined ? {} : { stated };
}

const MAX_TOOL_NAME_CHARS = 200;
/** The limit in characters for arguments and for all tool results except the last. */
const MAX_TOOL_TEXT_CHARS = 4_096;
/** The limit for the last tool's result, which templates may read fields from. */
const MAX_LAST_TOOL_RESULT_CHARS = 65_536;

/** Appends a finished tool call, truncated. The previous entry is truncated further, as it is no longer the last. */
function appendToolUse(tools: ToolUse[], event: Extract<AgentEvent, { type: "tool_completed" }>): void {
  const previous = tools.pop();
  if (previous !== undefined) tools.push({ ...previous, result: truncate(previous.result, MAX_TOOL_TEXT_CHARS) });
  const args = event.arguments === undefined ? {} : { arguments: truncate(event.arguments, MAX_TOOL_TEXT_CHARS) };
  tools.push({
    tool: truncate(event.tool, MAX_TOOL_NAME_CHARS),
    ...args,
    result: truncate(event.result, MAX_LAST_TOOL_RESULT_CHARS),
  });
}

/** Publishes the result of connecting to the agent, once. */
function publishConnectResult(run: AgentRun, result: string, ...following: EventDraft[]): void {
  if (!run.isConnected) run.emit(createConnectedEvent(run.task, result), ...following);
  run.isConnected = true;
}

/** Publishes the successful connection and `task_started`, once per segment. */
function publishTaskStarted(run: AgentRun): void {
  publishConnectResult(run, "connected", { event: "task_started", data: { ...getTaskScope(run.task), role: "agent" } });
}

/** Fails a task whose agent was removed or disabled after planning. */
function failUnavailableAgent(run: AgentRun, agent: Agent | undefined): TaskOutcome {
  const { agent_name: name } = run.task;
  const message =
    agent === undefined ? createMessage("agent.removed", { agent: name }) : createMessage("agent.disabled", { name });
  const error = run.turn.ports.formatMessage(message);
  publishConnectResult(run, `ERROR: ${error}`);
  return { status: "failed", error };
}

/** Returns the agent of a task, enabled or not; undefined if it does not exist any more. */
export function findTaskAgent(turn: TurnContext, task: Task): Agent | undefined {
  return turn.agents.find(({ name }) => name === task.agent_name);
}
