// Runs one request on an agent and publishes its events, until the agent completes, fails or asks.
//
// `runTaskSegment` creates an `AgentRun` per task segment and passes it here; it is mutated in place.
// - Readers first receive the connect result and `task_started`, once per segment, before any output of the agent.
// - Each `checkpoint` saves the agent's state, the result so far and the used tools in the step's memo, with all events
//   published before it. A restarted segment continues from there (T4).
// - `retracted` restores the state of the last checkpoint, or of the segment's start, and publishes `task_retrying`.
// - Usage is recorded in the budget when it arrives. Events that show ongoing work check the budget first (T6).
// - Never rejects: an unexpected error is reported and becomes a failed outcome.

import type { Agent, AgentEvent, AgentRequest } from "../protocol/agent.ts";
import type { Task } from "../protocol/plan.ts";
import type { ToolUse } from "../protocol/plan-instance.ts";
import { cut } from "../protocol/shortened.ts";
import { BudgetExceeded, type Budget } from "./budget.ts";
import type { Draft, Emit, Memo } from "./ports.ts";
import { route } from "./route.ts";
import type { Scene } from "./scene.ts";
import { connected, placeOf, retrying } from "./task-events.ts";
import { ASKED, SPENT, type TaskEnd } from "./task-end.ts";
import type { Voice } from "./voice.ts";

/** The state of one task segment while its agent runs. */
export type Talk = {
  readonly scene: Scene;
  readonly task: Task;
  readonly emit: Emit;
  readonly voice: Voice;
  readonly budget: Budget;
  readonly signal: AbortSignal;
  readonly memo: Memo<Kept>;
  /**
   * The events that open the segment, before any output of the agent; empty if the segment continues earlier output.
   */
  readonly heading: readonly Draft[];
  /** The tools used so far; undefined if the caller does not record tools. */
  readonly tools: ToolUse[] | undefined;
  isConnected: boolean;
  /** True if readers have seen output besides text: a component, a notification, or an earlier question. */
  hasShown: boolean;
};

/** The memo of a segment: the agent's last checkpoint and the output up to it. Stored in the journal. */
export type Kept = {
  readonly state: string;
  readonly result: string;
  readonly remote_task_id?: string;
  readonly tools?: readonly ToolUse[];
  readonly has_shown?: true;
};

/** The state to restore if the agent retracts its output since the last checkpoint, or since the segment's start. */
type Firm = {
  readonly result: string;
  readonly tools?: readonly ToolUse[];
  readonly hasShown: boolean;
  /** True if there was a checkpoint; then the opening events are not retracted either. */
  readonly isKept: boolean;
};

/** The text that readers see if an agent completes without any output. */
export const NO_OUTPUT = "Task completed without output.";

/** Events that show ongoing work of the agent. They are not accepted after the budget is exhausted (T6). */
const GOES_ON: ReadonlySet<AgentEvent["type"]> = new Set(["text", "reasoning", "tool_started"]);

/** Failure codes that only the runtime may set; they are dropped from failures of agents. */
const OURS: ReadonlySet<string> = new Set([ASKED, SPENT]);

/** A question of the agent that is not yet published. */
export type Asks = { readonly status: "asks"; readonly asked: Asked; readonly remote_task_id?: string };
/** The agent event that asks the person. */
type Asked = Extract<AgentEvent, { type: "input_required" }>;

/**
 * Sends the request to the task's agent and publishes the events that return. Resolves with the outcome of the task or
 * with the agent's question; ending the iteration at a question also ends the agent's run. Never rejects.
 */
export async function talkWithAgent(talk: Talk, request: AgentRequest): Promise<TaskEnd | Asks> {
  const { scene, task, emit, voice, budget, signal } = talk;
  const agent = agentOf(scene, task);
  if (agent === undefined || !agent.enabled) return gone(talk, agent);
  let result = talk.memo.kept?.result ?? "";
  let firm: Firm = { result, ...usedIn(talk), hasShown: talk.hasShown, isKept: talk.memo.kept !== null };
  let retractions = 0;
  let remote = talk.memo.kept?.remote_task_id ?? request.reply?.remote_task_id;
  try {
    budget.check();
    for await (const said of scene.ports.agents.run(agent, request, signal)) {
      if (said.type !== "failed") started(talk);
      if (GOES_ON.has(said.type)) budget.check();
      switch (said.type) {
        case "accepted":
          remote = said.remote_task_id ?? remote;
          break;
        case "text":
        case "reasoning":
          if (said.type === "text") result += said.text;
          voice.hear(said);
          break;
        case "usage":
          budget.spend(`agent:${task.agent_name}`, said.usage);
          break;
        case "checkpoint":
          emit(...voice.end());
          talk.memo.keep({
            state: said.state,
            result,
            ...(remote === undefined ? {} : { remote_task_id: remote }),
            ...usedIn(talk),
            ...(talk.hasShown ? { has_shown: true } : {}),
          });
          firm = { result, ...usedIn(talk), hasShown: talk.hasShown, isKept: true };
          break;
        case "retracted":
          retractions += 1;
          takeBack(talk, firm, retrying(task, said.reason, retractions + 1));
          ({ result } = firm);
          break;
        case "input_required":
          return { status: "asks", asked: said, ...(remote === undefined ? {} : { remote_task_id: remote }) };
        case "completed":
          return completed(talk, result);
        case "failed": {
          connect(talk, `ERROR: ${scene.ports.say(said.reason)}`);
          const code = said.code === undefined || OURS.has(said.code) ? {} : { code: said.code };
          return { status: "failed", error: said.reason, ...code, ...usedIn(talk) };
        }
        default:
          if (said.type === "tool_completed" && said.ran !== false) note(talk.tools ?? [], said);
          if (said.type === "component" || said.type === "notification") talk.hasShown = true;
          emit(...voice.end(), route(placeOf(task), said));
      }
    }
    started(talk);
    return completed(talk, result);
  } catch (thrown) {
    const isSpent = thrown instanceof BudgetExceeded;
    if (!isSpent) scene.ports.report(thrown);
    connect(talk, "ERROR");
    if (!isSpent) return { status: "failed", error: "The agent could not be run." };
    return { status: "failed", error: thrown.message, code: SPENT };
  }
}

/**
 * Creates the completed outcome. Adds `NO_OUTPUT` for readers, but not if tools are recorded: callers then judge them.
 */
function completed({ voice, tools, hasShown }: Talk, result: string): TaskEnd {
  if (tools !== undefined) return { status: "completed", result, tools: [...tools] };
  if (result.trim() !== "" || hasShown) return { status: "completed", result };
  voice.hear({ type: "text", text: NO_OUTPUT });
  return { status: "completed", result: NO_OUTPUT };
}

/** Publishes the retraction and restores the retraction point. Repeats the opening events if they were retracted. */
function takeBack(talk: Talk, { tools = [], hasShown, isKept }: Firm, told: Draft): void {
  talk.voice.restart();
  talk.emit(told);
  talk.hasShown = hasShown;
  talk.tools?.splice(0, Infinity, ...tools);
  if (isKept || talk.heading.length === 0) return;
  talk.emit(...talk.heading);
  talk.isConnected = false;
  started(talk);
}

/** Returns a copy of the recorded tools as a spreadable object; empty if tools are not recorded. */
export function usedIn({ tools }: Talk): { readonly tools?: readonly ToolUse[] } {
  return tools === undefined ? {} : { tools: [...tools] };
}

const MAX_NAME = 200;
/** The limit in characters for arguments and for all tool results except the last. */
const MAX_RESULT = 4_096;
/** The limit for the last tool's result, which templates may read fields from. */
const MAX_LAST_RESULT = 65_536;

/** Appends a finished tool call, truncated. The previous entry is truncated further, as it is no longer the last. */
function note(tools: ToolUse[], said: Extract<AgentEvent, { type: "tool_completed" }>): void {
  const before = tools.pop();
  if (before !== undefined) tools.push({ ...before, result: cut(before.result, MAX_RESULT) });
  const args = said.arguments === undefined ? {} : { arguments: cut(said.arguments, MAX_RESULT) };
  tools.push({ tool: cut(said.tool, MAX_NAME), ...args, result: cut(said.result, MAX_LAST_RESULT) });
}

/** Publishes the result of connecting to the agent, once. */
function connect(talk: Talk, said: string, ...more: Draft[]): void {
  if (!talk.isConnected) talk.emit(connected(talk.task, said), ...more);
  talk.isConnected = true;
}

/** Publishes the successful connection and `task_started`, once per segment. */
function started(talk: Talk): void {
  connect(talk, "connected", { event: "task_started", data: { ...placeOf(talk.task), role: "agent" } });
}

/** Fails a task whose agent was removed or disabled after planning. */
function gone(talk: Talk, agent: Agent | undefined): TaskEnd {
  const { agent_name: name } = talk.task;
  const error = `The agent ${name} ${agent === undefined ? "does not exist any more" : "is disabled"}.`;
  connect(talk, `ERROR: ${talk.scene.ports.say(error)}`);
  return { status: "failed", error };
}

/** Returns the agent of a task, enabled or not; undefined if it does not exist any more. */
export function agentOf(scene: Scene, task: Task): Agent | undefined {
  return scene.agents.find(({ name }) => name === task.agent_name);
}
