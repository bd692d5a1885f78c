// Plans of a scripted model: order of the tasks, passed results, and rejected plans.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Frame } from "../../../src/protocol/wire/events.ts";
import type { Item } from "../../../src/protocol/wire/items.ts";
import type { Plan, Task } from "../../../src/protocol/plans/task-plan.ts";
import { createHandoffReply, createPlanReply, type TaskBrief, type ModelReply } from "../../support/model-reply.ts";
import { startModelServer, type ModelCall, type ModelServer } from "../../support/model-server.ts";
import { filterEvents, createApiUser, joinText, type ThreadResult, type ApiUser } from "../../support/api-user.ts";
import { findViolations } from "../../support/invariants.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";

const TEN_WORDS = "one two three four five six seven eight nine ten";

let model: ModelServer;
let runtime: Runtime;
let user: ApiUser;

beforeAll(async () => {
  model = await startModelServer();
  runtime = await startRuntime({
    vars: { OPENAI_BASE_URL: model.url, MAX_TASKS: "8", MAX_CONCURRENT_TASKS: "3" },
    siblings: {
      "orrery-clock": { config: "examples/clock-worker/wrangler.toml", entry: "examples/clock-worker/clock.ts" },
    },
    agents: { AGENT_CLOCK: "orrery-clock" },
  });
  user = createApiUser(runtime.url);
});
afterAll(async () => {
  await runtime.stop();
  await model.close();
});

/** Scripts the answer of an agent. The mark in the query identifies its model calls. */
function scriptPart(reply: ModelReply | readonly ModelReply[]): { query: string; mark: string } {
  const mark = model.addScript({ "agent:assistant": reply });
  return { query: `Work ${mark}`, mark };
}

async function runPlan(
  briefs: readonly TaskBrief[],
  synthesis: ModelReply = { text: "Done." },
): Promise<ThreadResult & { mark: string }> {
  const mark = model.addScript({
    triage: createHandoffReply("needs_planning"),
    planner: createPlanReply(...briefs),
    synthesis,
  });
  const thread = await user.sendAndWait(`Please ${mark}`);
  expect(findViolations(await user.history(thread.conversationId))).toEqual([]);
  return { ...thread, mark };
}

function getCall(mark: string, role = "agent:assistant"): ModelCall {
  const [call] = model.getCalls(mark, role);
  if (call === undefined) throw new Error(`No call of ${role} with ${mark}`);
  return call;
}

async function readTasks({ conversationId }: ThreadResult): Promise<Task[]> {
  return (await user.get<{ tasks: Task[] }>(`/api/v1/conversations/${conversationId}/tasks`)).tasks;
}

function listPositions(frames: readonly Frame[], name: "task_started" | "task_completed"): number[] {
  return frames.flatMap((frame, i) => (frame.event === name ? [i] : []));
}

describe("[X5] order of tasks", () => {
  test("[F40] runs independent tasks concurrently", async () => {
    const [a, b] = [scriptPart({ text: TEN_WORDS, paceMs: 20 }), scriptPart({ text: TEN_WORDS, paceMs: 20 })];
    const { frames } = await runPlan([a, b]);
    const [first, second] = [getCall(a.mark), getCall(b.mark)];
    expect(second.startedAt).toBeLessThan(first.endedAt ?? 0);
    expect(first.startedAt).toBeLessThan(second.endedAt ?? 0);
    expect(Math.max(...listPositions(frames, "task_started"))).toBeLessThan(
      Math.min(...listPositions(frames, "task_completed")),
    );
  });

  test("[F38] [F39] starts a task after its dependency and passes it the result", async () => {
    const a = scriptPart({ text: "The answer is 42.", paceMs: 10 });
    const b = scriptPart({ text: "So it is." });
    const thread = await runPlan([
      { id: "a", title: "Find it", ...a },
      { id: "b", title: "Use it", ...b, after: ["a"] },
    ]);
    expect(getCall(b.mark).startedAt).toBeGreaterThanOrEqual(getCall(a.mark).endedAt ?? Infinity);
    const promptText = getCall(b.mark).request.messages.at(-1)?.content ?? "";
    expect(promptText).toContain('{"title":"Find it","agent_name":"assistant","result":"The answer is 42."}');
    expect(listPositions(thread.frames, "task_started")[1]).toBeGreaterThan(
      listPositions(thread.frames, "task_completed")[0] ?? 0,
    );
    expect(await readTasks(thread)).toMatchObject([
      { title: "Find it", status: "completed", result: "The answer is 42." },
      { title: "Use it", status: "completed", result: "So it is." },
    ]);
  });

  test("runs the middle tasks of a diamond concurrently and the end last", async () => {
    const [top, left, right, end] = [0, 1, 2, 3].map((i) =>
      scriptPart({ text: `Part ${i} of ${TEN_WORDS}`, paceMs: 10 }),
    );
    if (top === undefined || left === undefined || right === undefined || end === undefined) throw new Error("Four");
    await runPlan([
      { id: "end", ...end, after: ["left", "right"] },
      { id: "left", ...left, after: ["top"] },
      { id: "right", ...right, after: ["top"] },
      { id: "top", ...top },
    ]);
    const [t, l, r, e] = [top, left, right, end].map(({ mark }) => getCall(mark));
    expect(l?.startedAt).toBeLessThan(r?.endedAt ?? 0);
    expect(r?.startedAt).toBeLessThan(l?.endedAt ?? 0);
    expect(Math.min(l?.startedAt ?? 0, r?.startedAt ?? 0)).toBeGreaterThanOrEqual(t?.endedAt ?? Infinity);
    expect(e?.startedAt).toBeGreaterThanOrEqual(Math.max(l?.endedAt ?? 0, r?.endedAt ?? 0));
  });

  test("runs at most MAX_CONCURRENT_TASKS tasks at once", async () => {
    const parts = Array.from({ length: 7 }, () => scriptPart({ text: TEN_WORDS, paceMs: 10 }));
    await runPlan(parts);
    const calls = parts.map(({ mark }) => getCall(mark));
    const concurrency = calls.map(
      ({ startedAt }) => calls.filter((call) => call.startedAt <= startedAt && (call.endedAt ?? 0) > startedAt).length,
    );
    expect(Math.max(...concurrency)).toBeGreaterThan(1);
    expect(Math.max(...concurrency)).toBeLessThanOrEqual(3);
  });

  test("[F41] cancels only the dependents of a failed task", async () => {
    const [failingPart, successfulPart, dependentPart] = [
      scriptPart({ fault: { kind: "status", status: 401 } }),
      scriptPart({ text: "Fine." }),
      scriptPart({}),
    ];
    const thread = await runPlan([
      { id: "bad", title: "Break", ...failingPart },
      { id: "good", title: "Hold", ...successfulPart },
      { id: "last", title: "Follow", ...dependentPart, after: ["bad", "good"] },
    ]);
    expect(await readTasks(thread)).toMatchObject([
      { status: "failed", error: expect.stringContaining("OPENAI_API_KEY") as string },
      { status: "completed", result: "Fine." },
      { status: "cancelled", error: "This task depends on “Break”, which failed." },
    ]);
    expect(model.getCalls(dependentPart.mark)).toEqual([]);
    const prompt = getCall(thread.mark, "synthesis").request.messages.at(-1)?.content ?? "";
    expect(prompt).toContain('"status":"failed"');
    expect(prompt).toContain('"result":"Fine."');
  });

  test("[F101] passes the message and all results to the synthesis and streams it last", async () => {
    const { frames, mark } = await runPlan([scriptPart({ text: "5950128" }), scriptPart({ text: "12:30" })], {
      text: "It is 12:30, and 5950128.",
      paceMs: 5,
    });
    const prompt = getCall(mark, "synthesis").request.messages.at(-1)?.content ?? "";
    expect(prompt).toContain(`Please ${mark}`);
    expect(prompt).toContain('"result":"5950128"');
    expect(joinText(frames.slice(Math.max(...listPositions(frames, "task_completed"))))).toBe(
      "It is 12:30, and 5950128.",
    );
  });

  test("[F53] [F63] publishes the texts before and after a tool call as two items and joins them in the result", async () => {
    const a = scriptPart([
      { text: "Let me see. ", calls: [{ name: "calculate", arguments: { expression: "2+2" } }] },
      { text: "It is 4." },
    ]);
    const mark = model.addScript({ triage: createHandoffReply("single_agent", ["assistant"], a.query) });
    const thread = await user.sendAndWait(`Please ${mark}`);
    const { items } = await user.get<{ items: Item[] }>(`/api/v1/conversations/${thread.conversationId}/items`);
    const agentItems = items.filter(
      ({ agent_name: name, event }) => name === "assistant" && event !== "component_generator",
    );
    expect(agentItems.map(({ event, payload }) => [event, payload["content"] ?? payload["tool_name"]])).toEqual([
      ["tool_call_completed", "connect_agent"],
      ["message_chunk", "Let me see. "],
      ["tool_call_completed", "calculate"],
      ["message_chunk", "It is 4."],
    ]);
    expect(await readTasks(thread)).toMatchObject([{ result: "Let me see. It is 4." }]);
  });
});

describe("[F09] agents selected by the triage", () => {
  test("run as concurrent tasks without the planner", async () => {
    const a = scriptPart({ text: TEN_WORDS, paceMs: 5 });
    const mark = model.addScript({
      triage: createHandoffReply("multi_agent", ["assistant", "clock"], a.query),
      synthesis: { text: "Twice." },
    });
    const { frames } = await user.sendAndWait(`Please ${mark}`);
    const plans = filterEvents(frames, "plan_created").map(({ payload }) => payload.plan);
    expect(plans).toMatchObject([{ tasks: [{ agent_name: "assistant" }, { agent_name: "clock" }] }]);
    expect(model.getCalls(mark).map(({ role }) => role)).toEqual(["triage", "synthesis"]);
    expect(filterEvents(frames, "task_completed")).toHaveLength(2);
  });

  test("[F07] get the enriched query, and the plan contains the original message", async () => {
    const a = scriptPart({ text: "Yes." });
    const mark = model.addScript({ triage: createHandoffReply("single_agent", ["assistant"], a.query) });
    const thread = await user.sendAndWait(`And that one? ${mark}`);
    const { plans } = await user.get<{ plans: Plan[] }>(`/api/v1/conversations/${thread.conversationId}/plans`);
    expect(plans).toMatchObject([{ orig_query: `And that one? ${mark}`, query: a.query }]);
  });
});

describe("[F21] invalid plan", () => {
  const createBrief = (brief: Partial<TaskBrief>): TaskBrief => ({ query: "Work", ...brief });
  const INVALID_PLANS: Readonly<Record<string, { briefs: readonly TaskBrief[]; says: RegExp }>> = {
    "an unknown agent": { briefs: [createBrief({ agent: "wizard" })], says: /agent wizard doesn’t exist/ },
    "a dependency cycle": {
      briefs: [createBrief({ after: ["t1"] }), createBrief({ after: ["t0"] })],
      says: /cycle: t\d → t\d/,
    },
    "a task that depends on itself": { briefs: [createBrief({ after: ["t0"] })], says: /cycle/ },
    "an unknown dependency": { briefs: [createBrief({ after: ["t9"] })], says: /t0 depends on t9/ },
    "a duplicate task id": {
      briefs: [createBrief({ id: "x" }), createBrief({ id: "x" })],
      says: /two tasks with the ID x/,
    },
    "too many tasks": { briefs: Array.from({ length: 9 }, () => createBrief({})), says: /9 tasks\. The limit is 8/ },
  };

  test.each(Object.entries(INVALID_PLANS))(
    "goes back to the planner once, then fails with the reason and starts no task: %s",
    async (_, { briefs, says }) => {
      const { conversationId, frames, mark } = await runPlan(briefs);
      expect(filterEvents(frames, "plan_failed")).toMatchObject([
        { payload: { content: expect.stringMatching(says) as string } },
      ]);
      expect(filterEvents(frames, "task_started")).toEqual([]);
      const [, corrected, ...others] = model.getCalls(mark, "planner");
      expect(corrected?.request.messages.at(-1)?.content).toMatch(says);
      expect(others).toEqual([]);
      expect(await user.get(`/api/v1/conversations/${conversationId}`)).toMatchObject({ status: "failed" });
      const next = await user.sendAndWait(`Then this ${model.addScript({ triage: { text: "Fine." } })}`, {
        conversation: conversationId,
      });
      expect(joinText(next.frames)).toBe("Fine.");
      expect(await user.get(`/api/v1/conversations/${conversationId}`)).toMatchObject({ status: "completed" });
    },
  );

  test("[F12] with a disabled agent fails, and the prompts do not list the agent", async () => {
    const setEnabled = (enabled: boolean) => user.request("PATCH", "/api/v1/agents/assistant", { enabled });
    await setEnabled(false);
    try {
      const { frames, mark } = await runPlan([createBrief({})]);
      expect(filterEvents(frames, "plan_failed")).toHaveLength(1);
      for (const role of ["triage", "planner"]) {
        expect(model.getCalls(mark, role)[0]?.request.messages[0]?.content).not.toContain('"name":"assistant"');
      }
    } finally {
      await setEnabled(true);
    }
  });

  test("[F20] that is marked as inadequate returns its guidance message and does not fail", async () => {
    const guidance = {
      adequate: false,
      tasks: [],
      reason: "It lacks a city.",
      guidance_message: "Name a city, please.",
    };
    const mark = model.addScript({
      triage: createHandoffReply("needs_planning"),
      planner: { calls: [{ name: "create_plan", arguments: guidance }] },
    });
    const { conversationId, frames } = await user.sendAndWait(`Weather ${mark}`);
    expect(joinText(frames)).toBe("Name a city, please.");
    expect(frames.map(({ event }) => event)).not.toContain("plan_created");
    expect(await user.get(`/api/v1/conversations/${conversationId}`)).toMatchObject({ status: "completed" });
  });
});

test("[T1] messages during a running thread wait and keep their order", async () => {
  const slow = model.addScript({ triage: { text: TEN_WORDS, paceMs: 20 } });
  const { conversation_id: id, thread_id: first } = await user.send(`Slow ${slow}`);
  const quick = [1, 2, 3].map((i) => model.addScript({ triage: { text: `Answer ${i}.` } }));
  const threads = [first];
  for (const mark of quick.slice(0, 2)) threads.push((await user.send(`Next ${mark}`, { conversation: id })).thread_id);
  const dependentPart = await user.sendAndWait(`Last ${quick[2]}`, { conversation: id });
  const log = await user.history(id);
  expect(findViolations(log)).toEqual([]);
  expect(filterEvents(log, "done").map(({ thread_id }) => thread_id)).toEqual([...threads, dependentPart.threadId]);
  const prompt = getCall(quick[2] ?? "", "triage").request.messages.map(({ content }) => content);
  expect(prompt).toEqual(expect.arrayContaining([TEN_WORDS, "Answer 1.", "Answer 2."]));
});
