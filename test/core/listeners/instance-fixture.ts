// Runs workflow instances with scripted agents.

import { scriptSchedules } from "../../support/scripted-schedules.ts";
import { foldInstance } from "../../../src/core/listeners/instance-view.ts";
import { runInstance, type InstanceTurnInput } from "../../../src/core/listeners/run-instance.ts";
import type { CodeRunner, Model, Ports, StepRunner } from "../../../src/core/ports.ts";
import type { TurnOutcome } from "../../../src/core/turn/turn-outcome.ts";
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
import type * as z from "zod";
import {
  createIdFactory,
  createFormatter,
  LIMITS,
  Memory,
  scriptAgents,
  type Script,
} from "../../support/scripted-ports.ts";
import { resolveInstanceLanguage } from "../../../src/core/listeners/start-instance.ts";

export type TemplateConfigInput = z.input<typeof workflowConfigSchema>;
type ListenerInput = TemplateConfigInput["listeners"][number];

export function parseConfig(input: TemplateConfigInput): WorkflowConfig {
  return workflowConfigSchema.strip().parse(input);
}

type TemplateInput = Omit<TemplateConfigInput, "name" | "tasks"> & Partial<TemplateConfigInput>;

/** Returns a released template. Without tasks it has those that its listeners name, sorted. */
export function createTemplate({ name = "A workflow", ...input }: TemplateInput): WorkflowTemplate {
  const named = input.listeners.flatMap(({ trigger_task_id, success_output }) => [
    ...String(trigger_task_id).split(","),
    success_output.task_id,
  ]);
  const config = parseConfig({ name, tasks: tasks(...new Set(named.map(String).toSorted())), ...input });
  const main_task_id = config.main_task_id ?? config.tasks[0]?.task_id ?? "";
  const { plan_id = "p" } = config;
  return { ...config, plan_id, main_task_id, version: 1, status: "released", created_at: 0, updated_at: 0 };
}

/** Returns tasks with these ids; the first one is the main task. */
export function tasks(...ids: string[]): TemplateConfigInput["tasks"] {
  return ids.map((task_id) => ({ task_id, name: `Task ${task_id}` }));
}

/** Returns a listener that calls an agent when its condition holds and then completes the target task. */
export function listener(
  id: string,
  trigger: string,
  condition: string,
  agent: string,
  target: string,
  more: Partial<ListenerInput> = {},
): ListenerInput {
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

/** Returns a code listener without code: it only applies its output. */
export function codeListener(id: string, trigger: string, condition: string, target = "001"): ListenerInput {
  return {
    listener_id: id,
    trigger_task_id: trigger,
    trigger_condition: condition,
    listener_type: "code",
    success_output: { task_id: target, status: "Done" },
  };
}

/** Returns an agent that calls one tool with this result. */
export function toolAgent(tool: string, result: (request: AgentRequest) => object = () => ({ ok: true })): Script {
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

/** Returns an agent that fails `times` times and then behaves like `then`. */
export function failingAgent(times: number, then: Script, reason = "The system is down."): Script {
  let remaining = times;
  return async function* (request, signal) {
    remaining -= 1;
    if (remaining >= 0) yield { type: "failed", reason };
    else yield* then(request, signal);
  };
}

/** Wraps an agent and records its requests. */
export function recordRequests(script: Script): Script & { readonly requests: AgentRequest[] } {
  const requests: AgentRequest[] = [];
  const recording: Script = (request, signal) => {
    requests.push(request);
    return script(request, signal);
  };
  return Object.assign(recording, { requests });
}

/** Answers the question of a held instance. */
export function resumeInstance(memory: Memory, context: Record<string, object> = {}): void {
  if (memory.listOpenQuestions()[0]?.takesValues !== true) throw new Error("No open question takes values.");
  memory.settleFirst({ state: "answered", answer: { message: "resume", arguments: { context } } });
}

export type InstanceScenario = {
  readonly template: WorkflowTemplate;
  readonly agents: Readonly<Record<string, Script>>;
  readonly context?: WorkflowTaskContext;
  readonly verify?: boolean;
  readonly turn?: Partial<InstanceTurnInput>;
  readonly code?: CodeRunner;
  readonly now?: () => number;
};

export type InstanceResult = {
  readonly memory: Memory;
  readonly end: TurnOutcome;
  readonly events: readonly string[];
  /** The agent tasks whose questions were withdrawn. */
  readonly dismissed: readonly string[];
};

const noModel: Model = { complete: () => Promise.reject(new Error("No model is needed.")) };

let clock = 1_000;

/** Runs an instance until it ends or pauses. Call it again with the same memory to continue. */
export async function runTestInstance(
  scenario: InstanceScenario,
  memory = new Memory(),
  step: StepRunner = memory.createStepRunner(),
): Promise<InstanceResult> {
  const mint = createIdFactory(`m${memory.rows.length}-`);
  const agents = scriptAgents(scenario.agents);
  const { request = { message: "Start the plan" } } = scenario.turn ?? {};
  const ports: Ports = {
    model: noModel,
    agents,
    now: scenario.now ?? (() => clock++),
    mint,
    formatMessage: createFormatter(resolveInstanceLanguage(request)),
    profile: () => Promise.resolve({}),
    report: (thrown) => {
      throw thrown;
    },
    schedules: scriptSchedules(new Map(), 10),
    step,
    ...(scenario.code === undefined ? {} : { code: scenario.code }),
  };
  const end = await runInstance(ports, {
    conversationId: "conv-1",
    threadId: "th-1",
    userId: "local",
    request,
    history: () => [],
    limits: LIMITS,
    getQuestionState: (id) => memory.getQuestionState(id),
    answers: () => memory.listAnswers(),
    findResultSeq: () => null,
    waitForChange: () => memory.waitForChange(),
    signal: new AbortController().signal,
    taskSignal: () => new AbortController().signal,
    instance: {
      plan_instance_id: "inst-1",
      template: scenario.template,
      context: scenario.context ?? {},
      verify: scenario.verify ?? false,
    },
    ...scenario.turn,
  });
  if (end.status !== "paused") memory.publish(...end.closing);
  return { memory, end, events: memory.sent.map((frame) => frame.event), dismissed: agents.dismissed };
}

export function getView(memory: Memory): ConversationView {
  return foldFrames(EMPTY_VIEW, memory.readFrames(0));
}

export function listItems(memory: Memory): readonly Item[] {
  return [...getView(memory).items.values()];
}

/** Returns the instance as a new reader sees it. */
export function getInstance(memory: Memory, thread: "open" | "ended" | "cancelled" = "ended"): WorkflowInstanceDetails {
  const instance = foldInstance(listItems(memory), thread);
  if (instance === null) throw new Error("There is no instance in the log.");
  return instance;
}

/** Returns the status of every task by id. */
export function getStatuses({ tasks: all }: WorkflowInstanceDetails): Record<string, string> {
  return Object.fromEntries(all.map(({ task_id, status }) => [task_id, status]));
}
