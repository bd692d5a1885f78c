// Instances of listener plans with scripted agents.

import { foldInstance } from "../../../src/core/listeners/instance-view.ts";
import { runInstance, type InstanceTurnInput } from "../../../src/core/listeners/run-instance.ts";
import { resolveLanguage } from "../../../src/core/listeners/instance-messages.ts";
import type { CodeRunner, Model, Ports, StepRunner } from "../../../src/core/ports.ts";
import type { TurnOutcome } from "../../../src/core/turn-outcome.ts";
import type { AgentRequest } from "../../../src/protocol/agents/agent.ts";
import type { Item } from "../../../src/protocol/wire/items.ts";
import type { WorkflowInstanceDetails } from "../../../src/protocol/workflows/workflow-instance.ts";
import {
  workflowConfigSchema,
  type WorkflowConfig,
  type WorkflowTaskContext,
  type WorkflowTemplate,
} from "../../../src/protocol/workflows/workflow-template.ts";
import { EMPTY_VIEW, foldFrames, type ConversationView } from "../../../src/protocol/wire/view.ts";
import { translateFailure } from "../../../src/protocol/language/failure-messages.ts";
import type * as z from "zod";
import { counting, LIMITS, Memory, scriptedAgents, type Script } from "../../support/scripted.ts";

export type GivenConfig = z.input<typeof workflowConfigSchema>;
type GivenListener = GivenConfig["listeners"][number];

export function configOf(given: GivenConfig): WorkflowConfig {
  return workflowConfigSchema.parse(given);
}

export function templateOf(given: GivenConfig): WorkflowTemplate {
  const config = configOf(given);
  const main_task_id = config.main_task_id ?? config.tasks[0]?.task_id ?? "";
  const { plan_id = "p" } = config;
  return { ...config, plan_id, main_task_id, version: 1, status: "released", created_at: 0, updated_at: 0 };
}

/** Tasks by number; the first is the main one. */
export function tasks(...ids: string[]): GivenConfig["tasks"] {
  return ids.map((task_id) => ({ task_id, name: `Task ${task_id}` }));
}

/** When the trigger is as said, the agent makes the target Done. */
export function listener(
  id: string,
  trigger: string,
  condition: string,
  agent: string,
  target: string,
  more: Partial<GivenListener> = {},
): GivenListener {
  return {
    listener_id: id,
    trigger_task_id: trigger,
    trigger_condition: condition,
    agent_id: agent,
    action_prompt: `do ${id}`,
    success_output: { task_id: target, status: "Done" },
    ...more,
  };
}

/** Without code it only makes its output. */
export function closing(id: string, trigger: string, condition: string, target = "001"): GivenListener {
  return {
    listener_id: id,
    trigger_task_id: trigger,
    trigger_condition: condition,
    listener_type: "code",
    success_output: { task_id: target, status: "Done" },
  };
}

/** An agent that calls one tool, whose result is its own, and says so. */
export function using(tool: string, result: (request: AgentRequest) => object): Script {
  return async function* (request) {
    await Promise.resolve();
    yield { type: "accepted" };
    const call = { call_id: "c", tool, arguments: "{}" };
    yield { type: "tool_started", ...call };
    yield { type: "tool_completed", ...call, result: JSON.stringify(result(request)) };
    yield { type: "text", text: `${tool} was called.` };
    yield { type: "completed" };
  };
}

/** An agent that fails so often, and then does what another does. */
export function failing(times: number, then: Script, reason = "The system is down."): Script {
  let left = times;
  return async function* (request, signal) {
    left -= 1;
    if (left >= 0) yield { type: "failed", reason };
    else yield* then(request, signal);
  };
}

/** Keeps the calls of an agent. */
export function counted(script: Script): Script & { readonly requests: AgentRequest[] } {
  const requests: AgentRequest[] = [];
  const counting: Script = (request, signal) => {
    requests.push(request);
    return script(request, signal);
  };
  return Object.assign(counting, { requests });
}

/** Answers the question that holds an instance. */
export function resume(memory: Memory, context: Record<string, object> = {}): void {
  const [question] = memory.open();
  if (question?.takesValues !== true) throw new Error("Nothing takes values.");
  memory.settle(question?.request_id ?? "", {
    state: "answered",
    answer: { message: "resume", arguments: { context } },
  });
}

export type World = {
  readonly template: WorkflowTemplate;
  readonly agents: Readonly<Record<string, Script>>;
  readonly context?: WorkflowTaskContext;
  readonly verify?: boolean;
  readonly turn?: Partial<InstanceTurnInput>;
  readonly code?: CodeRunner;
  readonly now?: () => number;
};

export type Outcome = {
  readonly memory: Memory;
  readonly end: TurnOutcome;
  readonly events: readonly string[];
  /** The questions of agents that they were told not to wait with. */
  readonly dismissed: readonly string[];
};

const noModel: Model = { complete: () => Promise.reject(new Error("No model is needed.")) };

let clock = 1_000;

/** Runs an instance as far as it goes; again with the same memory to go on. */
export async function playInstance(
  world: World,
  memory = new Memory(),
  step: StepRunner = memory.step(),
): Promise<Outcome> {
  const mint = counting(`m${memory.rows.length}-`);
  const agents = scriptedAgents(world.agents);
  const { request = { message: "Start the plan" } } = world.turn ?? {};
  const ports: Ports = {
    model: noModel,
    agents,
    now: world.now ?? (() => clock++),
    mint,
    translate: (words) => translateFailure(resolveLanguage(request), words),
    report: (thrown) => {
      throw thrown;
    },
    schedules: () => Promise.resolve({ used: 0, most: 10 }),
    step,
    ...(world.code === undefined ? {} : { code: world.code }),
  };
  const end = await runInstance(ports, {
    conversationId: "conv-1",
    threadId: "th-1",
    userId: "local",
    request,
    history: () => [],
    limits: LIMITS,
    getQuestionState: (id) => memory.standing(id),
    waitForChange: () => memory.settled(),
    signal: new AbortController().signal,
    taskSignal: () => new AbortController().signal,
    instance: {
      plan_instance_id: "inst-1",
      template: world.template,
      context: world.context ?? {},
      verify: world.verify ?? false,
    },
    ...world.turn,
  });
  if (end.status !== "paused") memory.publish(...end.closing);
  return { memory, end, events: memory.sent.map((frame) => frame.event), dismissed: agents.dismissed };
}

export function viewOf(memory: Memory): ConversationView {
  return foldFrames(EMPTY_VIEW, memory.framesAfter(0));
}

export function itemsOf(memory: Memory): readonly Item[] {
  return [...viewOf(memory).items.values()];
}

/** How the instance stands to a reader who comes now. */
export function instanceIn(memory: Memory, thread: "open" | "ended" | "cancelled" = "ended"): WorkflowInstanceDetails {
  const instance = foldInstance(itemsOf(memory), thread);
  if (instance === null) throw new Error("No instance was told of");
  return instance;
}

/** The status of every task, by id. */
export function statuses({ tasks: all }: WorkflowInstanceDetails): Record<string, string> {
  return Object.fromEntries(all.map(({ task_id, status }) => [task_id, status]));
}
