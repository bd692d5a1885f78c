// Carries out a plan: tasks start as soon as what they depend on is complete, independent ones side
// by side. A failed task fails alone; what depends on it is cancelled with the reason, the others go on.

import { must, unreachable } from "../protocol/assert.ts";
import type { Agent, AgentMetadata } from "../protocol/agent.ts";
import { companion } from "../protocol/ids.ts";
import type { Plan, Task } from "../protocol/plan.ts";
import { BudgetExceeded, type Budget } from "./budget.ts";
import type { Draft, Emit, StepOutcome } from "./ports.ts";
import { route } from "./route.ts";
import { stage } from "./stage.ts";
import type { Scene } from "./scene.ts";
import { Voice, type Place } from "./voice.ts";

/** How a task ended. */
export type TaskEnd =
  | { readonly status: "completed"; readonly result: string }
  | { readonly status: "failed"; readonly error: string; readonly code?: string }
  | { readonly status: "cancelled"; readonly error: string };

export type EndedTask = { readonly task: Task } & TaskEnd;

/** Runs all tasks to their ends, in an order their dependencies allow. Never rejects for what an agent does. */
export async function execute(scene: Scene, plan: Plan): Promise<EndedTask[]> {
  const ends = new Map<string, TaskEnd>();
  const waiting = new Set(plan.tasks);
  const running = new Map<string, Promise<void>>();
  const run = async (task: Task): Promise<void> => {
    ends.set(task.task_id, await runTask(scene, plan, task, ends));
    running.delete(task.task_id);
  };
  while (waiting.size > 0 || running.size > 0) {
    for (const task of waiting) {
      if (running.size >= scene.limits.maxConcurrentTasks) break;
      if (!task.depends_on.every((id) => ends.has(id))) continue;
      waiting.delete(task);
      running.set(task.task_id, run(task));
    }
    await Promise.race(running.values()).catch(async (thrown: unknown) => {
      // The thread ends with this; what still runs must have come to rest before its last word.
      await Promise.allSettled(running.values());
      throw thrown;
    });
  }
  return plan.tasks.map((task) => ({ task, ...must(ends.get(task.task_id), task.task_id) }));
}

function runTask(scene: Scene, plan: Plan, task: Task, ends: ReadonlyMap<string, TaskEnd>): Promise<TaskEnd> {
  const spec = { name: `task:${task.task_id}`, scope: task.task_id, agentName: task.agent_name };
  return stage(scene, spec, async (emit, budget) => {
    const blocked = blockedBy(plan, task, ends);
    if (blocked !== null) return ended(task, { status: "cancelled", error: blocked });
    const signal = AbortSignal.any([scene.signal, scene.taskSignal(task.task_id)]);
    if (signal.aborted) return ended(task, { status: "cancelled", error: reasonOf(signal) });
    const opening = task.handoff_from_super_agent ? [subagent(task, "start")] : [];
    emit(...opening, connecting(task, "tool_call_started"));
    const voice = new Voice(placeOf(task), emit);
    const end = await converseWithAgent(
      { scene, task, emit, voice, budget, signal },
      metadataOf(scene, plan, task, ends),
    );
    const outcome = ended(task, signal.aborted ? { status: "cancelled", error: reasonOf(signal) } : end);
    const closing = task.handoff_from_super_agent ? [subagent(task, "end")] : [];
    return { ...outcome, closing: [...voice.end(), ...closing, ...outcome.closing] };
  });
}

/** Why a task cannot run: the first of its dependencies that did not complete. */
function blockedBy(plan: Plan, task: Task, ends: ReadonlyMap<string, TaskEnd>): string | null {
  const culprit = plan.tasks.find(
    (other) => task.depends_on.includes(other.task_id) && ends.get(other.task_id)?.status !== "completed",
  );
  if (culprit === undefined) return null;
  const end = ends.get(culprit.task_id);
  const why = end?.status === "cancelled" ? "was cancelled" : "failed";
  return `“${culprit.title}”, which this depends on, ${why}.`;
}

type Run = {
  readonly scene: Scene;
  readonly task: Task;
  readonly emit: Emit;
  readonly voice: Voice;
  readonly budget: Budget;
  readonly signal: AbortSignal;
};

/** Sends the task to its agent and tells readers what comes back, until the agent is done. */
async function converseWithAgent(run: Run, metadata: AgentMetadata): Promise<TaskEnd> {
  const { scene, task, emit, voice, budget, signal } = run;
  const agent = scene.agents.find(({ name }) => name === task.agent_name);
  if (agent === undefined || !agent.enabled) return gone(run, agent);
  const request = {
    message_id: task.task_id,
    task_id: task.task_id,
    conversation_id: task.conversation_id,
    query: task.query,
    metadata,
  };
  let result = "";
  let isConnected = false;
  const connect = (said: string, ...more: Draft[]): void => {
    if (!isConnected) emit(connecting(task, "tool_call_completed", said), ...more);
    isConnected = true;
  };
  const started = (): void =>
    connect("connected", { event: "task_started", data: { ...placeOf(task), role: "agent" } });
  try {
    budget.check();
    for await (const said of scene.ports.agents.run(agent, request, signal)) {
      if (said.type !== "failed") started();
      switch (said.type) {
        case "accepted":
          break;
        case "text":
        case "reasoning":
          if (said.type === "text") result += said.text;
          voice.hear(said);
          break;
        case "usage": {
          const { model_calls: modelCalls, input_tokens: inputTokens, output_tokens: outputTokens } = said.usage;
          budget.book({ modelCalls, inputTokens, outputTokens });
          break;
        }
        case "input_required":
          return {
            status: "failed",
            error: `${task.agent_name} asked a question back, which cannot be answered yet: ${said.prompt}`,
          };
        case "completed":
          return { status: "completed", result };
        case "failed":
          connect(`ERROR: ${said.reason}`);
          return { status: "failed", error: said.reason, ...(said.code === undefined ? {} : { code: said.code }) };
        default:
          emit(...voice.end(), route(placeOf(task), said));
      }
    }
    started();
    return { status: "completed", result };
  } catch (thrown) {
    if (!(thrown instanceof BudgetExceeded)) scene.ports.report(thrown);
    connect("ERROR");
    return {
      status: "failed",
      error: thrown instanceof BudgetExceeded ? thrown.message : "The agent could not be run.",
    };
  }
}

/** An agent that was there when the plan was made, and is not any more. */
function gone({ emit, task }: Run, agent: Agent | undefined): TaskEnd {
  const error = `The agent ${task.agent_name} ${agent === undefined ? "does not exist any more" : "is disabled"}.`;
  emit(connecting(task, "tool_call_completed", `ERROR: ${error}`));
  return { status: "failed", error };
}

function ended(task: Task, end: TaskEnd): StepOutcome<TaskEnd> {
  const data = { ...placeOf(task), role: "agent" } as const;
  switch (end.status) {
    case "completed":
      return { value: end, closing: [{ event: "task_completed", data }] };
    case "failed":
      return { value: end, closing: [{ event: "task_failed", data: { ...data, payload: failureOf(end) } }] };
    case "cancelled":
      return { value: end, closing: [{ event: "task_cancelled", data: { ...data, payload: { content: end.error } } }] };
    default:
      return unreachable(end);
  }
}

function failureOf({ error, code }: Extract<TaskEnd, { status: "failed" }>): { content: string; code?: string } {
  return code === undefined ? { content: error } : { content: error, code };
}

/** The context that every task is given (F45, F88), with the results of what it depends on. */
function metadataOf(scene: Scene, plan: Plan, task: Task, ends: ReadonlyMap<string, TaskEnd>): AgentMetadata {
  const { language, timezone, context = {} } = scene.request;
  const { user_profile: profile, ...current } = context;
  const dependencies = plan.tasks.flatMap(({ task_id, title, agent_name }) => {
    const end = ends.get(task_id);
    if (!task.depends_on.includes(task_id) || end?.status !== "completed") return [];
    return [{ task_id, title, agent_name, result: end.result }];
  });
  return {
    user_id: scene.userId,
    user_profile: typeof profile === "object" && profile !== null ? { ...profile } : {},
    current_context: current,
    ...(language === undefined ? {} : { language }),
    ...(timezone === undefined ? {} : { timezone }),
    dependencies,
  };
}

function placeOf(task: Task): Place {
  return { thread_id: task.thread_id, task_id: task.task_id, agent_name: task.agent_name };
}

/** Reaching the agent, shown as a tool call (F46). */
function connecting(task: Task, event: "tool_call_started" | "tool_call_completed", result = ""): Draft {
  const call = { tool_call_id: companion(task.task_id, "call"), tool_name: "connect_agent" };
  const payload = { ...call, tool_arguments: JSON.stringify({ agent_name: task.agent_name }) };
  const data = { ...placeOf(task), role: "agent", item_id: call.tool_call_id } as const;
  if (event === "tool_call_started") return { event, data: { ...data, payload } };
  return { event, data: { ...data, payload: { ...payload, tool_result: JSON.stringify([{ content: result }]) } } };
}

/** Where the task's own conversation begins and ends: one component, replaced (F47). */
function subagent(task: Task, phase: "start" | "end"): Draft {
  const content = { conversation_id: task.conversation_id, agent_name: task.agent_name, phase };
  return {
    event: "component_generator",
    data: {
      ...placeOf(task),
      role: "agent",
      item_id: companion(task.task_id, "item"),
      payload: { component_type: "subagent_conversation", content: JSON.stringify(content) },
    },
  };
}

function reasonOf(signal: AbortSignal): string {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason.message : "Cancelled.";
}
