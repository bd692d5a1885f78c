// What an agent says of a task, told to readers as it comes, until it is done or asks.

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

/** One leg of a task, while its agent is heard. */
export type Talk = {
  readonly scene: Scene;
  readonly task: Task;
  readonly emit: Emit;
  readonly voice: Voice;
  readonly budget: Budget;
  readonly signal: AbortSignal;
  readonly memo: Memo<Kept>;
  /** What stands before all that its agent says; nothing when that goes on from before. */
  readonly heading: readonly Draft[];
  /** Those used so far; absent where nobody wants to know. */
  readonly tools: ToolUse[] | undefined;
  isConnected: boolean;
  /** Something has come of it besides its words: a component, a notification, a question before. */
  hasShown: boolean;
};

/** How far an agent says it has come, and what it had said by then. */
export type Kept = {
  readonly state: string;
  readonly result: string;
  readonly remote_task_id?: string;
  readonly tools?: readonly ToolUse[];
  readonly has_shown?: true;
};

/** What stays when an agent takes back what it said since its last checkpoint, or since the leg began. */
type Firm = {
  readonly result: string;
  readonly tools?: readonly ToolUse[];
  readonly hasShown: boolean;
  /** There was a checkpoint: what stands before what the agent says stays as well. */
  readonly isKept: boolean;
};

/** What stands where an agent is done and nothing came of it: readers would wonder. */
export const NO_OUTPUT = "Task completed without output.";

/** Signs that an agent works on: it may not, once the thread has spent what it may (T6). */
const GOES_ON: ReadonlySet<AgentEvent["type"]> = new Set(["text", "reasoning", "tool_started"]);

/** Codes that no agent can give. */
const OURS: ReadonlySet<string> = new Set([ASKED, SPENT]);

/** The agent's question, before it is put to the person. */
export type Asks = { readonly status: "asks"; readonly asked: Asked; readonly remote_task_id?: string };
type Asked = Extract<AgentEvent, { type: "input_required" }>;

/** Sends the task to its agent and tells readers what comes back, until the agent is done or asks. */
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

/** Whoever looks at the tools that were used judges by the bare result. */
function completed({ voice, tools, hasShown }: Talk, result: string): TaskEnd {
  if (tools !== undefined) return { status: "completed", result, tools: [...tools] };
  if (result.trim() !== "" || hasShown) return { status: "completed", result };
  voice.hear({ type: "text", text: NO_OUTPUT });
  return { status: "completed", result: NO_OUTPUT };
}

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

export function usedIn({ tools }: Talk): { readonly tools?: readonly ToolUse[] } {
  return tools === undefined ? {} : { tools: [...tools] };
}

const MAX_NAME = 200;
const MAX_RESULT = 4_096;
/** Of the last one, whose fields may be asked for. */
const MAX_LAST_RESULT = 65_536;

function note(tools: ToolUse[], said: Extract<AgentEvent, { type: "tool_completed" }>): void {
  const before = tools.pop();
  if (before !== undefined) tools.push({ ...before, result: cut(before.result, MAX_RESULT) });
  const args = said.arguments === undefined ? {} : { arguments: cut(said.arguments, MAX_RESULT) };
  tools.push({ tool: cut(said.tool, MAX_NAME), ...args, result: cut(said.result, MAX_LAST_RESULT) });
}

/** Tells once how reaching the agent went. */
function connect(talk: Talk, said: string, ...more: Draft[]): void {
  if (!talk.isConnected) talk.emit(connected(talk.task, said), ...more);
  talk.isConnected = true;
}

function started(talk: Talk): void {
  connect(talk, "connected", { event: "task_started", data: { ...placeOf(talk.task), role: "agent" } });
}

/** An agent that was there when the plan was made, and is not any more. */
function gone(talk: Talk, agent: Agent | undefined): TaskEnd {
  const { agent_name: name } = talk.task;
  const error = `The agent ${name} ${agent === undefined ? "does not exist any more" : "is disabled"}.`;
  connect(talk, `ERROR: ${talk.scene.ports.say(error)}`);
  return { status: "failed", error };
}

export function agentOf(scene: Scene, task: Task): Agent | undefined {
  return scene.agents.find(({ name }) => name === task.agent_name);
}
