// A plan as an agent, over a runtime that a test plays.

import { describe, expect, test, vi } from "vitest";
import { createWorkflowAgent } from "../../src/agents/workflows/workflow-agent.ts";
import type { WorkflowAgentState } from "../../src/agents/workflows/workflow-agent-state.ts";
import type { RunContext, AgentRunEvent } from "../../src/agents/kit/agent.ts";
import type { AgentReply, AgentRequest } from "../../src/protocol/agents/agent.ts";
import type { FaultCode } from "../../src/protocol/wire/fault.ts";
import type { WorkflowInstanceDetails } from "../../src/protocol/workflows/workflow-instance.ts";
import { workflowConfigSchema } from "../../src/protocol/workflows/workflow-template.ts";
import type { WorkflowRuntimeApi } from "../../src/protocol/workflows/workflow-rpc.ts";
import type { PendingQuestion } from "../../src/protocol/wire/question.ts";
import { smallPlan } from "../support/plans.ts";

const PLACE = { plan_instance_id: "inst-1", conversation_id: "conv-1", thread_id: "th-1", after: 0 };
const HOLD = {
  status: "waiting_for_resume" as const,
  failed_listener_id: "L001",
  failed_listener_ids: ["L001"],
  message: "L001 failed.",
  missing: [],
  request_id: "req-1",
};
const pending = (changes: Partial<PendingQuestion> = {}): PendingQuestion => ({
  request_id: "req-1",
  thread_id: "th-1",
  prompt: "L001 failed.",
  ...changes,
});

function instance(changes: Partial<WorkflowInstanceDetails> = {}): WorkflowInstanceDetails {
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

const ok = <T>(value: T) => Promise.resolve({ ok: true as const, value });
const no = (code: FaultCode) => Promise.resolve({ ok: false as const, failure: { code, message: `It is ${code}.` } });

/** A runtime in which the instance stands as it is given, one look after the other. */
function runtime(looks: readonly WorkflowInstanceDetails[], open: readonly PendingQuestion[] = []) {
  const left = [...looks];
  const stand = () => (left.length > 1 ? left.shift() : left[0]) ?? instance();
  return {
    startPlanInstance: vi.fn<WorkflowRuntimeApi["startPlanInstance"]>(() =>
      ok({ ...PLACE, plan_id: "welcome", plan_version: 1, seq: 2 }),
    ),
    planInstance: vi.fn<WorkflowRuntimeApi["planInstance"]>(() => ok(stand())),
    resumePlanInstance: vi.fn<WorkflowRuntimeApi["resumePlanInstance"]>(() => no("conflict")),
    cancelPlanInstance: vi.fn<WorkflowRuntimeApi["cancelPlanInstance"]>(() => ok(instance({ status: "cancelled" }))),
    follow: vi.fn<WorkflowRuntimeApi["follow"]>(() => ok(new Blob([`{"seq":4}\n`]).stream())),
    resume: vi.fn<WorkflowRuntimeApi["resume"]>(() => ok(null)),
    context: vi.fn<WorkflowRuntimeApi["context"]>(() => ok({ pending: [...open] })),
    task: vi.fn<WorkflowRuntimeApi["task"]>(() => no("not_found")),
  };
}

type Given = {
  readonly state?: WorkflowAgentState;
  readonly reply?: AgentReply["answer"];
  readonly known?: object;
  readonly seconds?: number;
  readonly signal?: AbortSignal;
  readonly calls?: object;
};

function templateOf() {
  const config = workflowConfigSchema.parse(smallPlan());
  const ids = { plan_id: "welcome", main_task_id: "001", version: 1, status: "released" as const };
  return { ...config, ...ids, created_at: 1, updated_at: 1 };
}

async function run(
  api: WorkflowRuntimeApi,
  { state, reply, known = { seats: 4 }, seconds = 300, signal, calls }: Given = {},
) {
  const text = state === undefined ? undefined : JSON.stringify(state);
  const request: AgentRequest = {
    message_id: "task-1",
    task_id: "task-1",
    conversation_id: "conv-0",
    query: "Welcome them",
    metadata: { current_context: { ...known } },
    ...(reply === undefined && text !== undefined ? { checkpoint: text } : {}),
    ...(reply === undefined ? {} : { reply: { answer: reply, ...(text === undefined ? {} : { state: text }) } }),
  };
  const usage = { inputTokens: 1, outputTokens: 1 };
  const toolCalls = calls === undefined ? [] : [{ id: "1", name: "start_plan", arguments: JSON.stringify(calls) }];
  const model = { complete: () => Promise.resolve({ text: "", toolCalls, usage }) };
  const settings = { AGENT_TIMEOUT_SECONDS: seconds, AGENT_IDLE_SECONDS: 60 };
  const context = { model, settings, env: {}, signal: signal ?? new AbortController().signal };
  const said: AgentRunEvent[] = [];
  const work: Promise<unknown>[] = [];
  const agent = createWorkflowAgent({ userId: "ada", template: templateOf(), api }, (one) => work.push(one));
  try {
    for await (const one of agent.run(request, context as unknown as RunContext)) said.push(one);
  } finally {
    await Promise.all(work);
  }
  const told = said.filter(({ type }) => type !== "component" && type !== "checkpoint" && type !== "usage");
  return { said, told };
}

describe("a plan as an agent", () => {
  test("starts its plan with what is known, once for one message, and keeps where it is", async () => {
    const api = runtime([instance(), instance({ status: "done" })]);
    const { said, told } = await run(api);
    const start = { context: { seats: 4 }, language: "en" };
    expect(api.startPlanInstance).toHaveBeenCalledExactlyOnceWith("ada", "welcome", start, "plan-agent/start/task-1/");
    expect(said.find(({ type }) => type === "checkpoint")).toMatchObject({
      state: JSON.stringify({ at: "instance", place: PLACE }),
    });
    expect(told).toEqual([{ type: "text", text: "“Welcome” is done." }]);
  });

  test("[T4] follows the instance that it had begun, from where it was", async () => {
    const api = runtime([instance({ status: "done" })]);
    await run(api, { state: { at: "instance", place: { ...PLACE, after: 7 } } });
    expect(api.startPlanInstance).not.toHaveBeenCalled();
    expect(api.follow).toHaveBeenCalledWith("ada", "conv-1", 7, "th-1");
  });

  test("[T4] goes on where the stream of its instance broke", async () => {
    const api = runtime([instance(), instance({ status: "done" })]);
    const pieces = [() => `{"seq":4}\n`, () => `{"seq":5,"da`];
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) controller.error(new Error("Network connection lost."));
        else controller.enqueue(new TextEncoder().encode(piece()));
      },
    });
    api.follow.mockReturnValueOnce(ok(broken));
    const { told } = await run(api);
    expect(told).toEqual([{ type: "text", text: "“Welcome” is done." }]);
    expect(api.follow.mock.calls.map(([, , after]) => after)).toEqual([0, 4]);
  });

  test.each(["startPlanInstance", "follow", "planInstance", "context"] as const)(
    "[T4] does not fail of an answer to %s that will be another in a moment",
    async (call) => {
      const api = runtime([instance(), instance(), instance({ status: "done" })]);
      const failing = api[call] as { mockImplementationOnce(answer: () => Promise<unknown>): unknown };
      failing.mockImplementationOnce(() => no("internal"));
      failing.mockImplementationOnce(() => Promise.reject(new Error("The host was reset.")));
      expect((await run(api)).told).toEqual([{ type: "text", text: "“Welcome” is done." }]);
    },
  );

  test("hands an answer over although its instance cannot be reached at first", async () => {
    const state: WorkflowAgentState = { at: "question", place: PLACE, request_id: "req-1", held: false, missing: [] };
    const api = runtime([instance({ status: "done" })]);
    api.resume.mockReturnValueOnce(no("unavailable"));
    const { told } = await run(api, { state, reply: { message: "blue" } });
    expect(told).toEqual([{ type: "text", text: "“Welcome” is done." }]);
    expect(api.resume).toHaveBeenCalledTimes(2);
  });

  test("fails of an answer that will stay the same", async () => {
    const api = runtime([instance()]);
    api.follow.mockImplementation(() => no("not_found"));
    expect((await run(api)).told).toMatchObject([{ type: "failed", reason: "It is not_found." }]);
    expect(api.follow).toHaveBeenCalledOnce();
  });

  test("asks for what nobody has stated, and takes the answer as it is", async () => {
    const api = runtime([instance({ status: "done" })]);
    const { told } = await run(api, { known: {}, calls: { context: { other: "x", seats: "" } } });
    const state: WorkflowAgentState = { at: "values", context: {}, missing: ["seats"] };
    expect(told).toMatchObject([{ type: "input_required", prompt: expect.stringContaining("seats") as unknown }]);
    expect(JSON.parse((told[0] as { state: string }).state)).toEqual(state);
    expect(api.startPlanInstance).not.toHaveBeenCalled();
    await run(api, { known: {}, state, reply: { message: " 12 " } });
    expect(api.startPlanInstance.mock.lastCall?.[2]).toMatchObject({ context: { seats: "12" } });
  });

  test("fails when its instance does, with the reason and what was verified", async () => {
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
    const api = runtime([instance({ status: "error", error: "The profile is gone.", verification })]);
    const { told } = await run(api);
    expect(told).toMatchObject([{ type: "failed", code: "plan_failed" }]);
    const { reason } = told[0] as { reason: string };
    expect(reason).toContain("The profile is gone.");
    expect(reason).toContain("Profile (hr): verification failed");
  });

  test("passes a hold on, tries again, and does not mind who else has resumed it", async () => {
    const held = instance({ status: "error", waiting_for_resume: true, hold: HOLD });
    const first = runtime([held], [pending()]);
    const { told } = await run(first);
    expect(told).toMatchObject([{ type: "input_required", options: ["Try again", "Stop"] }]);
    const state = JSON.parse((told[0] as { state: string }).state) as WorkflowAgentState;
    const api = runtime([instance({ status: "done" })]);
    const answered = await run(api, { state, reply: { message: "Try again" } });
    expect(api.resumePlanInstance.mock.lastCall?.slice(1, 3)).toEqual(["inst-1", { context: {} }]);
    expect(answered.told).toEqual([{ type: "text", text: "“Welcome” is done." }]);
    const stopped = runtime([]);
    expect((await run(stopped, { state, reply: { message: "停止" } })).told).toMatchObject([{ type: "failed" }]);
    expect(stopped.cancelPlanInstance).toHaveBeenCalledExactlyOnceWith("ada", "inst-1");
  });

  test("gives a hold the value that it lacks, under its task", async () => {
    const missing = [{ task_id: "001", name: "seats" }];
    const state: WorkflowAgentState = { at: "question", place: PLACE, request_id: "req-1", held: true, missing };
    const api = runtime([instance({ status: "done" })]);
    await run(api, { state, reply: { message: "7" } });
    expect(api.resumePlanInstance.mock.lastCall?.[2]).toEqual({ context: { "001": { seats: "7" } } });
  });

  test("passes an agent's question on with its approval, and the edited arguments back", async () => {
    const approval = { tool: "pay", arguments: { amount: 5 } };
    const asking = runtime([instance()], [pending({ prompt: "Pay?", approval })]);
    const { told } = await run(asking);
    expect(told).toMatchObject([{ type: "input_required", prompt: "Pay?", approval }]);
    const state = JSON.parse((told[0] as { state: string }).state) as WorkflowAgentState;
    const api = runtime([instance({ status: "done" })]);
    const edited = { amount: 3 };
    await run(api, { state, reply: { message: "approve", decision: "approve", arguments: edited } });
    const reply = { message: "approve", request_id: "req-1", arguments: edited };
    expect(api.resume).toHaveBeenCalledExactlyOnceWith("ada", "conv-1", reply, "plan-agent/resume/task-1/");
  });

  test("says that it goes on when nobody listens any longer", async () => {
    const { told } = await run(runtime([instance()]), { seconds: 0.2 });
    expect(told).toMatchObject([{ type: "text", text: expect.stringContaining("still at work") as unknown }]);
  });

  test("[T5] stops its instance when its task was cancelled, and leaves it when only its reader has gone", async () => {
    for (const status of ["cancelled", "running"] as const) {
      const stop = new AbortController();
      const api = runtime([instance()]);
      const silent = new ReadableStream<Uint8Array>({ pull: () => stop.abort() });
      api.follow.mockImplementation(() => ok(silent));
      api.task.mockImplementation(() => ok({ status } as never));
      await expect(run(api, { signal: stop.signal })).rejects.toThrow(/abort/i);
      expect(api.cancelPlanInstance).toHaveBeenCalledTimes(status === "cancelled" ? 1 : 0);
    }
  });

  test("[T5] stops its instance although it cannot be reached at first", async () => {
    const stop = new AbortController();
    const api = runtime([instance()]);
    api.follow.mockImplementation(() => ok(new ReadableStream<Uint8Array>({ pull: () => stop.abort() })));
    api.task.mockImplementation(() => ok({ status: "cancelled" } as never));
    api.cancelPlanInstance.mockReturnValueOnce(no("internal"));
    await expect(run(api, { signal: stop.signal })).rejects.toThrow(/abort/i);
    expect(api.cancelPlanInstance).toHaveBeenCalledTimes(2);
  });

  test("[T5] stops its instance although the first looks at its task fail or hang, and then holds nothing up", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const stop = new AbortController();
    const api = runtime([instance()]);
    api.follow.mockImplementation(() => ok(new ReadableStream<Uint8Array>({ pull: () => stop.abort() })));
    api.task.mockImplementation(() => ok({ status: "cancelled" } as never));
    api.task.mockImplementationOnce(() => Promise.reject(new Error("The host was reset.")));
    api.task.mockImplementationOnce(() => new Promise(() => {}));
    const ended = run(api, { signal: stop.signal }).catch(String);
    await vi.advanceTimersByTimeAsync(30_000);
    vi.useRealTimers();
    expect(await ended).toMatch(/abort/i);
    expect(api.cancelPlanInstance).toHaveBeenCalledOnce();
  });

  test("[T5] stops the instance that asks when its task was cancelled, and leaves it when its question expired", async () => {
    for (const status of ["cancelled", "failed"] as const) {
      const api = runtime([instance()]);
      api.task.mockImplementation(() => ok({ status } as never));
      const agent = createWorkflowAgent({ userId: "ada", template: templateOf(), api }, () => undefined);
      const state: WorkflowAgentState = { at: "question", place: PLACE, request_id: "req-1", held: false, missing: [] };
      const ids = { message_id: "task-1", task_id: "task-1", conversation_id: "conv-0" };
      await agent.dismiss?.({ ...ids, query: "Welcome them", metadata: {}, checkpoint: JSON.stringify(state) });
      expect(api.cancelPlanInstance).toHaveBeenCalledTimes(status === "cancelled" ? 1 : 0);
    }
  });

  test("[T5] does not say that it is stopped when it is not", async () => {
    const state: WorkflowAgentState = { at: "question", place: PLACE, request_id: "req-1", held: true, missing: [] };
    const api = runtime([]);
    api.cancelPlanInstance.mockReturnValueOnce(no("unavailable"));
    const { told } = await run(api, { state, reply: { message: "Stop" } });
    expect(told).toMatchObject([{ type: "failed", reason: "It is unavailable." }]);
  });

  test("says why it cannot start", async () => {
    const api = runtime([]);
    api.startPlanInstance.mockImplementation(() => no("conflict"));
    expect((await run(api)).told).toMatchObject([{ type: "failed", reason: "It is conflict." }]);
  });
});
