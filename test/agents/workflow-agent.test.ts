// A workflow as an agent, with a simulated runtime.

import { describe, expect, test, vi } from "vitest";
import { createWorkflowAgent } from "../../src/agents/workflows/workflow-agent.ts";
import type { WorkflowAgentState } from "../../src/agents/workflows/workflow-context.ts";
import type { ModelRunContext, AgentRunEvent } from "../../src/agents/kit/agent.ts";
import type { AgentReply, AgentRequest } from "../../src/protocol/agents/agent.ts";
import type { FaultCode } from "../../src/protocol/wire/fault.ts";
import type { WorkflowInstanceDetails } from "../../src/protocol/workflows/workflow-instance.ts";
import { workflowConfigSchema } from "../../src/protocol/workflows/workflow-template.ts";
import type { WorkflowRuntimeApi } from "../../src/protocol/workflows/workflow-rpc.ts";
import type { PendingQuestion } from "../../src/protocol/wire/question.ts";
import { createTemplateConfig } from "../support/workflow-configs.ts";

const POSITION = { plan_instance_id: "inst-1", conversation_id: "conv-1", thread_id: "th-1", after: 0 };
const HOLD = {
  status: "waiting_for_resume" as const,
  failed_listener_id: "L001",
  failed_listener_ids: ["L001"],
  message: "L001 failed.",
  missing: [],
  request_id: "req-1",
};
const createPending = (changes: Partial<PendingQuestion> = {}): PendingQuestion => ({
  request_id: "req-1",
  thread_id: "th-1",
  prompt: "L001 failed.",
  ...changes,
});

function createInstance(changes: Partial<WorkflowInstanceDetails> = {}): WorkflowInstanceDetails {
  const ids = { plan_instance_id: "inst-1", plan_id: "welcome", conversation_id: "conv-1", thread_id: "th-1" };
  return {
    ...ids,
    plan_version: 1,
    name: "Welcome",
    main_task_id: "001",
    status: "running",
    started_at: 1,
    waiting_for_resume: false,
    tasks: [],
    listeners: [],
    log: [],
    ...changes,
  };
}

const resolveValue = <T>(value: T) => Promise.resolve({ ok: true as const, value });
const resolveFailure = (code: FaultCode) =>
  Promise.resolve({ ok: false as const, failure: { code, message: `It is ${code}.` } });

/** Creates a runtime that returns the given states of the instance, one per read. */
function createRuntime(states: readonly WorkflowInstanceDetails[], open: readonly PendingQuestion[] = []) {
  const remaining = [...states];
  const nextState = () => (remaining.length > 1 ? remaining.shift() : remaining[0]) ?? createInstance();
  return {
    startPlanInstance: vi.fn<WorkflowRuntimeApi["startPlanInstance"]>(() =>
      resolveValue({ ...POSITION, plan_id: "welcome", plan_version: 1, seq: 2 }),
    ),
    planInstance: vi.fn<WorkflowRuntimeApi["planInstance"]>(() => resolveValue(nextState())),
    resumePlanInstance: vi.fn<WorkflowRuntimeApi["resumePlanInstance"]>(() => resolveFailure("conflict")),
    cancelPlanInstance: vi.fn<WorkflowRuntimeApi["cancelPlanInstance"]>(() =>
      resolveValue(createInstance({ status: "cancelled" })),
    ),
    follow: vi.fn<WorkflowRuntimeApi["follow"]>(() => resolveValue(new Blob([`{"seq":4}\n`]).stream())),
    resume: vi.fn<WorkflowRuntimeApi["resume"]>(() => resolveValue(null)),
    context: vi.fn<WorkflowRuntimeApi["context"]>(() => resolveValue({ pending: [...open] })),
    task: vi.fn<WorkflowRuntimeApi["task"]>(() => resolveFailure("not_found")),
  };
}

type RunOptions = {
  readonly state?: WorkflowAgentState;
  readonly reply?: AgentReply["answer"];
  readonly known?: object;
  readonly seconds?: number;
  readonly signal?: AbortSignal;
  readonly calls?: object;
  readonly dependencies?: AgentRequest["metadata"]["dependencies"];
};

function createTemplate() {
  const config = workflowConfigSchema.parse(createTemplateConfig());
  const ids = { plan_id: "welcome", main_task_id: "001", version: 1, status: "released" as const };
  return { ...config, ...ids, created_at: 1, updated_at: 1 };
}

async function runWorkflowAgent(
  api: WorkflowRuntimeApi,
  {
    state,
    reply,
    known: currentContext = { seats: 4 },
    seconds = 300,
    signal,
    calls,
    dependencies = [],
  }: RunOptions = {},
) {
  const text = state === undefined ? undefined : JSON.stringify(state);
  const request: AgentRequest = {
    message_id: "task-1",
    task_id: "task-1",
    conversation_id: "conv-0",
    query: "Welcome them",
    metadata: { current_context: { ...currentContext }, dependencies },
    ...(reply === undefined && text !== undefined ? { checkpoint: text } : {}),
    ...(reply === undefined ? {} : { reply: { answer: reply, ...(text === undefined ? {} : { state: text }) } }),
  };
  const usage = { inputTokens: 1, outputTokens: 1 };
  const toolCalls = calls === undefined ? [] : [{ id: "1", name: "start_plan", arguments: JSON.stringify(calls) }];
  const model = { complete: () => Promise.resolve({ text: "", toolCalls, usage }) };
  const settings = { AGENT_TIMEOUT_SECONDS: seconds, AGENT_IDLE_SECONDS: 60 };
  const context = { model, settings, env: {}, signal: signal ?? new AbortController().signal };
  const events: AgentRunEvent[] = [];
  const work: Promise<unknown>[] = [];
  const agent = createWorkflowAgent({ userId: "ada", template: createTemplate(), api }, (promise) =>
    work.push(promise),
  );
  try {
    for await (const event of agent.run(request, context as unknown as ModelRunContext)) events.push(event);
  } finally {
    await Promise.all(work);
  }
  const visibleEvents = events.filter(({ type }) => type !== "component" && type !== "checkpoint" && type !== "usage");
  return { events, visibleEvents };
}

describe("a workflow as an agent", () => {
  test("starts its workflow once for one message with the known values, and saves its position", async () => {
    const api = createRuntime([createInstance(), createInstance({ status: "done" })]);
    const { events, visibleEvents } = await runWorkflowAgent(api);
    const start = { context: { seats: 4 }, language: "en" };
    expect(api.startPlanInstance).toHaveBeenCalledExactlyOnceWith("ada", "welcome", start, "plan-agent/start/task-1/");
    expect(events.find(({ type }) => type === "checkpoint")).toMatchObject({
      state: JSON.stringify({ at: "instance", place: POSITION }),
    });
    expect(visibleEvents).toEqual([{ type: "text", text: "“Welcome” is done." }]);
  });

  test("[P1] shows values from the result of another task before it starts, and starts with the approved ones", async () => {
    const dependencies = [{ task_id: "t", title: "Read", agent_name: "reader", result: "They need 77 seats." }];
    const calls = { context: { seats: "77" } };
    const api = createRuntime([createInstance(), createInstance({ status: "done" })]);
    const asked = await runWorkflowAgent(api, { known: {}, calls, dependencies });
    expect(api.startPlanInstance).not.toHaveBeenCalled();
    const question = asked.visibleEvents.at(-1);
    if (question?.type !== "input_required") throw new Error("no question");
    expect(question.prompt).toMatch(/^These arguments contain text from reader, not from you\./);
    expect(question.approval).toMatchObject({
      tool: "start_plan",
      arguments: { context: { seats: "77" } },
      origins: [{ path: "/context/seats", start: 0, end: 2, source: "reader", ref: "t" }],
    });
    const state = JSON.parse(question.state ?? "") as WorkflowAgentState;
    const unclear = await runWorkflowAgent(api, { state, reply: { message: "hm" }, dependencies });
    expect(unclear.visibleEvents.at(-1)).toMatchObject({ type: "input_required" });
    const refused = await runWorkflowAgent(api, { state, reply: { message: "no" }, dependencies });
    expect(refused.visibleEvents.at(-1)).toMatchObject({ type: "failed", code: "plan_cancelled" });
    expect(api.startPlanInstance).not.toHaveBeenCalled();
    await runWorkflowAgent(api, { state, reply: { message: "yes" }, dependencies });
    expect(api.startPlanInstance.mock.calls[0]?.[2]).toMatchObject({ context: { seats: "77" } });
  });

  test("[T4] follows the instance that an interrupted attempt had started with other values", async () => {
    const api = createRuntime([createInstance({ conversation_id: "conv-2" }), createInstance({ status: "done" })]);
    const failure = { code: "unprocessable" as const, message: "Used", field: "id" };
    api.startPlanInstance.mockResolvedValue({ ok: false, failure });
    const { visibleEvents } = await runWorkflowAgent(api);
    expect(api.planInstance.mock.calls[0]?.[1]).toMatch(/^inst-[0-9a-f]{32}$/);
    expect(api.follow.mock.calls[0]?.[1]).toBe("conv-2");
    expect(visibleEvents).toEqual([{ type: "text", text: "“Welcome” is done." }]);
  });

  test("[T4] follows the instance that it had started, from its position", async () => {
    const api = createRuntime([createInstance({ status: "done" })]);
    await runWorkflowAgent(api, { state: { at: "instance", place: { ...POSITION, after: 7 } } });
    expect(api.startPlanInstance).not.toHaveBeenCalled();
    expect(api.follow).toHaveBeenCalledWith("ada", "conv-1", 7, "th-1");
  });

  test("[T4] continues where the stream of its instance broke", async () => {
    const api = createRuntime([createInstance(), createInstance({ status: "done" })]);
    const pieces = [() => `{"seq":4}\n`, () => `{"seq":5,"da`];
    const brokenStream = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) controller.error(new Error("Network connection lost."));
        else controller.enqueue(new TextEncoder().encode(piece()));
      },
    });
    api.follow.mockReturnValueOnce(resolveValue(brokenStream));
    const { visibleEvents } = await runWorkflowAgent(api);
    expect(visibleEvents).toEqual([{ type: "text", text: "“Welcome” is done." }]);
    expect(api.follow.mock.calls.map(([, , after]) => after)).toEqual([0, 4]);
  });

  test.each(["startPlanInstance", "follow", "planInstance", "context"] as const)(
    "[T4] retries after a temporary failure of %s",
    async (call) => {
      const api = createRuntime([createInstance(), createInstance(), createInstance({ status: "done" })]);
      const failing = api[call] as { mockImplementationOnce(answer: () => Promise<unknown>): unknown };
      failing.mockImplementationOnce(() => resolveFailure("internal"));
      failing.mockImplementationOnce(() => Promise.reject(new Error("The host was reset.")));
      expect((await runWorkflowAgent(api)).visibleEvents).toEqual([{ type: "text", text: "“Welcome” is done." }]);
    },
  );

  test("delivers an answer although its instance is unreachable at first", async () => {
    const state: WorkflowAgentState = {
      at: "question",
      place: POSITION,
      request_id: "req-1",
      held: false,
      missing: [],
    };
    const api = createRuntime([createInstance({ status: "done" })]);
    api.resume.mockReturnValueOnce(resolveFailure("unavailable"));
    const { visibleEvents } = await runWorkflowAgent(api, { state, reply: { message: "blue" } });
    expect(visibleEvents).toEqual([{ type: "text", text: "“Welcome” is done." }]);
    expect(api.resume).toHaveBeenCalledTimes(2);
  });

  test("fails on a permanent error without a retry", async () => {
    const api = createRuntime([createInstance()]);
    api.follow.mockImplementation(() => resolveFailure("not_found"));
    expect((await runWorkflowAgent(api)).visibleEvents).toMatchObject([{ type: "failed", reason: "It is not_found." }]);
    expect(api.follow).toHaveBeenCalledOnce();
  });

  test("asks for unknown values and passes the answer on unchanged", async () => {
    const api = createRuntime([createInstance({ status: "done" })]);
    const { visibleEvents } = await runWorkflowAgent(api, { known: {}, calls: { context: { other: "x", seats: "" } } });
    const state: WorkflowAgentState = { at: "values", context: {}, missing: ["seats"] };
    expect(visibleEvents).toMatchObject([
      { type: "input_required", prompt: expect.stringContaining("seats") as unknown },
    ]);
    expect(JSON.parse((visibleEvents[0] as { state: string }).state)).toEqual(state);
    expect(api.startPlanInstance).not.toHaveBeenCalled();
    await runWorkflowAgent(api, { known: {}, state, reply: { message: " 12 " } });
    expect(api.startPlanInstance.mock.lastCall?.[2]).toMatchObject({ context: { seats: "12" } });
  });

  test("fails with its instance, with the reason and the verification result", async () => {
    const entry = { agent_id: "hr", task_id: "002", task_name: "Profile", response: "", tools_used: [] };
    const checklist = [{ ...entry, status: "verification_failed" as const, verified: false }];
    const counts = {
      verified_count: 0,
      unable_to_verify_count: 0,
      failed_count: 1,
      exception_count: 0,
      total_count: 1,
    };
    const summary = { has_explicit_failure: true, overall_status: "failed" as const, ...counts };
    const verification = { checklist, summary, verification_completed: true as const };
    const api = createRuntime([createInstance({ status: "error", error: "The profile is gone.", verification })]);
    const { visibleEvents } = await runWorkflowAgent(api);
    expect(visibleEvents).toMatchObject([{ type: "failed", code: "plan_failed" }]);
    const { reason } = visibleEvents[0] as { reason: string };
    expect(reason).toContain("The profile is gone.");
    expect(reason).toContain("Profile (hr): verification failed");
  });

  test("forwards a hold, retries it, and accepts that another client resumed the instance", async () => {
    const heldInstance = createInstance({ status: "error", waiting_for_resume: true, hold: HOLD });
    const first = createRuntime([heldInstance], [createPending()]);
    const { visibleEvents } = await runWorkflowAgent(first);
    expect(visibleEvents).toMatchObject([{ type: "input_required", options: ["Try again", "Stop"] }]);
    const state = JSON.parse((visibleEvents[0] as { state: string }).state) as WorkflowAgentState;
    const api = createRuntime([createInstance({ status: "done" })]);
    const answered = await runWorkflowAgent(api, { state, reply: { message: "Try again" } });
    expect(api.resumePlanInstance.mock.lastCall?.slice(1, 3)).toEqual(["inst-1", { context: {} }]);
    expect(answered.visibleEvents).toEqual([{ type: "text", text: "“Welcome” is done." }]);
    const stopped = createRuntime([]);
    expect((await runWorkflowAgent(stopped, { state, reply: { message: "停止" } })).visibleEvents).toMatchObject([
      { type: "failed" },
    ]);
    expect(stopped.cancelPlanInstance).toHaveBeenCalledExactlyOnceWith("ada", "inst-1");
  });

  test("adds the missing value of a hold under its task", async () => {
    const missing = [{ task_id: "001", name: "seats" }];
    const state: WorkflowAgentState = { at: "question", place: POSITION, request_id: "req-1", held: true, missing };
    const api = createRuntime([createInstance({ status: "done" })]);
    await runWorkflowAgent(api, { state, reply: { message: "7" } });
    expect(api.resumePlanInstance.mock.lastCall?.[2]).toEqual({ context: { "001": { seats: "7" } } });
  });

  test("forwards a question of an agent with its approval, and the edited arguments with the answer", async () => {
    const approval = { tool: "pay", arguments: { amount: 5 } };
    const askingRuntime = createRuntime([createInstance()], [createPending({ prompt: "Pay?", approval })]);
    const { visibleEvents } = await runWorkflowAgent(askingRuntime);
    expect(visibleEvents).toMatchObject([{ type: "input_required", prompt: "Pay?", approval }]);
    const state = JSON.parse((visibleEvents[0] as { state: string }).state) as WorkflowAgentState;
    const api = createRuntime([createInstance({ status: "done" })]);
    const edited = { amount: 3 };
    await runWorkflowAgent(api, { state, reply: { message: "approve", decision: "approve", arguments: edited } });
    const reply = { message: "approve", request_id: "req-1", arguments: edited };
    expect(api.resume).toHaveBeenCalledExactlyOnceWith("ada", "conv-1", reply, "plan-agent/resume/task-1/");
  });

  test("reports that the instance continues when its own time is up", async () => {
    const { visibleEvents } = await runWorkflowAgent(createRuntime([createInstance()]), { seconds: 0.2 });
    expect(visibleEvents).toMatchObject([{ type: "text", text: expect.stringContaining("still running") as unknown }]);
  });

  test("[T5] cancels its instance when its task was cancelled, and not when only the reader has gone", async () => {
    for (const status of ["cancelled", "running"] as const) {
      const stop = new AbortController();
      const api = createRuntime([createInstance()]);
      const silent = new ReadableStream<Uint8Array>({ pull: () => stop.abort() });
      api.follow.mockImplementation(() => resolveValue(silent));
      api.task.mockImplementation(() => resolveValue({ status } as never));
      await expect(runWorkflowAgent(api, { signal: stop.signal })).rejects.toThrow(/abort/i);
      expect(api.cancelPlanInstance).toHaveBeenCalledTimes(status === "cancelled" ? 1 : 0);
    }
  });

  test("[T5] cancels its instance although it and its task are unreachable at first", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const stop = new AbortController();
    const api = createRuntime([createInstance()]);
    api.follow.mockImplementation(() => resolveValue(new ReadableStream<Uint8Array>({ pull: () => stop.abort() })));
    api.task.mockImplementation(() => resolveValue({ status: "cancelled" } as never));
    api.task.mockImplementationOnce(() => Promise.reject(new Error("The host was reset.")));
    api.task.mockImplementationOnce(() => new Promise(() => {}));
    api.cancelPlanInstance.mockReturnValueOnce(resolveFailure("internal"));
    const ended = runWorkflowAgent(api, { signal: stop.signal }).catch(String);
    await vi.advanceTimersByTimeAsync(30_000);
    vi.useRealTimers();
    expect(await ended).toMatch(/abort/i);
    expect(api.cancelPlanInstance).toHaveBeenCalledTimes(2);
  });

  test("[T5] cancels an instance with an open question when its task was cancelled, and not when the question expired", async () => {
    for (const status of ["cancelled", "failed"] as const) {
      const api = createRuntime([createInstance()]);
      api.task.mockImplementation(() => resolveValue({ status } as never));
      const agent = createWorkflowAgent({ userId: "ada", template: createTemplate(), api }, () => undefined);
      const state: WorkflowAgentState = {
        at: "question",
        place: POSITION,
        request_id: "req-1",
        held: false,
        missing: [],
      };
      const ids = { message_id: "task-1", task_id: "task-1", conversation_id: "conv-0" };
      await agent.dismiss?.({ ...ids, query: "Welcome them", metadata: {}, checkpoint: JSON.stringify(state) });
      expect(api.cancelPlanInstance).toHaveBeenCalledTimes(status === "cancelled" ? 1 : 0);
    }
  });

  test("[T5] reports the failure when its instance cannot be cancelled", async () => {
    const state: WorkflowAgentState = { at: "question", place: POSITION, request_id: "req-1", held: true, missing: [] };
    const api = createRuntime([]);
    api.cancelPlanInstance.mockReturnValueOnce(resolveFailure("unavailable"));
    const { visibleEvents } = await runWorkflowAgent(api, { state, reply: { message: "Stop" } });
    expect(visibleEvents).toMatchObject([{ type: "failed", reason: "It is unavailable." }]);
  });

  test("reports why it cannot start", async () => {
    const api = createRuntime([]);
    api.startPlanInstance.mockImplementation(() => resolveFailure("conflict"));
    expect((await runWorkflowAgent(api)).visibleEvents).toMatchObject([{ type: "failed", reason: "It is conflict." }]);
  });
});
