// Plans as a scripted model makes them: what runs beside what, what is handed on, and what a bad plan comes to.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Frame } from "../../src/protocol/wire/events.ts";
import type { Item } from "../../src/protocol/wire/items.ts";
import type { Plan, Task } from "../../src/protocol/plans/task-plan.ts";
import { handoff, planOf, type Brief, type Reply } from "../support/model-reply.ts";
import { startModelServer, type ModelCall, type ModelServer } from "../support/model-server.ts";
import { eventsOf, personAt, textOf, type Heard, type Person } from "../support/person.ts";
import { breachesIn } from "../support/rules.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

const TEN_WORDS = "one two three four five six seven eight nine ten";

let model: ModelServer;
let runtime: Runtime;
let person: Person;

beforeAll(async () => {
  model = await startModelServer();
  runtime = await startRuntime({
    vars: { OPENAI_BASE_URL: model.url, MAX_TASKS: "8", MAX_CONCURRENT_TASKS: "3" },
    beside: {
      "orrery-clock": { config: "examples/clock-worker/wrangler.toml", entry: "examples/clock-worker/clock.ts" },
    },
    agents: { AGENT_CLOCK: "orrery-clock" },
  });
  person = personAt(runtime.url);
});
afterAll(async () => {
  await runtime.stop();
  await model.close();
});

/** A query whose agent answers so; the mark finds the agent's calls. */
function part(reply: Reply | readonly Reply[]): { query: string; mark: string } {
  const mark = model.act({ "agent:assistant": reply });
  return { query: `Work ${mark}`, mark };
}

async function plan(briefs: readonly Brief[], synthesis: Reply = { text: "Done." }): Promise<Heard & { mark: string }> {
  const mark = model.act({ triage: handoff("needs_planning"), planner: planOf(...briefs), synthesis });
  const heard = await person.say(`Please ${mark}`);
  expect(breachesIn(await person.history(heard.conversationId))).toEqual([]);
  return { ...heard, mark };
}

function callOf(mark: string, role = "agent:assistant"): ModelCall {
  const [call] = model.callsOf(mark, role);
  if (call === undefined) throw new Error(`${role} was never asked about ${mark}`);
  return call;
}

async function tasksOf({ conversationId }: Heard): Promise<Task[]> {
  return (await person.get<{ tasks: Task[] }>(`/api/v1/conversations/${conversationId}/tasks`)).tasks;
}

function places(frames: readonly Frame[], name: "task_started" | "task_completed"): number[] {
  return frames.flatMap((frame, i) => (frame.event === name ? [i] : []));
}

describe("[X5] the order of work", () => {
  test("[F40] independent tasks overlap in time", async () => {
    const [a, b] = [part({ text: TEN_WORDS, paceMs: 20 }), part({ text: TEN_WORDS, paceMs: 20 })];
    const { frames } = await plan([a, b]);
    const [first, second] = [callOf(a.mark), callOf(b.mark)];
    expect(second.startedAt).toBeLessThan(first.endedAt ?? 0);
    expect(first.startedAt).toBeLessThan(second.endedAt ?? 0);
    expect(Math.max(...places(frames, "task_started"))).toBeLessThan(Math.min(...places(frames, "task_completed")));
  });

  test("[F38] [F39] a task starts after what it depends on, and gets the result", async () => {
    const a = part({ text: "The answer is 42.", paceMs: 10 });
    const b = part({ text: "So it is." });
    const heard = await plan([
      { id: "a", title: "Find it", ...a },
      { id: "b", title: "Use it", ...b, after: ["a"] },
    ]);
    expect(callOf(b.mark).startedAt).toBeGreaterThanOrEqual(callOf(a.mark).endedAt ?? Infinity);
    const asked = callOf(b.mark).request.messages.at(-1)?.content ?? "";
    expect(asked).toContain('{"title":"Find it","agent_name":"assistant","result":"The answer is 42."}');
    expect(places(heard.frames, "task_started")[1]).toBeGreaterThan(places(heard.frames, "task_completed")[0] ?? 0);
    expect(await tasksOf(heard)).toMatchObject([
      { title: "Find it", status: "completed", result: "The answer is 42." },
      { title: "Use it", status: "completed", result: "So it is." },
    ]);
  });

  test("a diamond runs its middle side by side and its end last", async () => {
    const [top, left, right, end] = [0, 1, 2, 3].map((i) => part({ text: `Part ${i} of ${TEN_WORDS}`, paceMs: 10 }));
    if (top === undefined || left === undefined || right === undefined || end === undefined) throw new Error("Four");
    await plan([
      { id: "end", ...end, after: ["left", "right"] },
      { id: "left", ...left, after: ["top"] },
      { id: "right", ...right, after: ["top"] },
      { id: "top", ...top },
    ]);
    const [t, l, r, e] = [top, left, right, end].map(({ mark }) => callOf(mark));
    expect(l?.startedAt).toBeLessThan(r?.endedAt ?? 0);
    expect(r?.startedAt).toBeLessThan(l?.endedAt ?? 0);
    expect(Math.min(l?.startedAt ?? 0, r?.startedAt ?? 0)).toBeGreaterThanOrEqual(t?.endedAt ?? Infinity);
    expect(e?.startedAt).toBeGreaterThanOrEqual(Math.max(l?.endedAt ?? 0, r?.endedAt ?? 0));
  });

  test("no more tasks run at once than the setting allows", async () => {
    const parts = Array.from({ length: 7 }, () => part({ text: TEN_WORDS, paceMs: 10 }));
    await plan(parts);
    const calls = parts.map(({ mark }) => callOf(mark));
    const together = calls.map(
      ({ startedAt }) => calls.filter((call) => call.startedAt <= startedAt && (call.endedAt ?? 0) > startedAt).length,
    );
    expect(Math.max(...together)).toBeGreaterThan(1);
    expect(Math.max(...together)).toBeLessThanOrEqual(3);
  });

  test("[F41] a task that fails takes only its dependents with it", async () => {
    const [bad, good, last] = [part({ trouble: { kind: "status", status: 401 } }), part({ text: "Fine." }), part({})];
    const heard = await plan([
      { id: "bad", title: "Break", ...bad },
      { id: "good", title: "Hold", ...good },
      { id: "last", title: "Follow", ...last, after: ["bad", "good"] },
    ]);
    expect(await tasksOf(heard)).toMatchObject([
      { status: "failed", error: expect.stringContaining("OPENAI_API_KEY") as string },
      { status: "completed", result: "Fine." },
      { status: "cancelled", error: "“Break”, which this depends on, failed." },
    ]);
    expect(model.callsOf(last.mark)).toEqual([]);
    const told = callOf(heard.mark, "synthesis").request.messages.at(-1)?.content ?? "";
    expect(told).toContain('"status":"failed"');
    expect(told).toContain('"result":"Fine."');
  });

  test("[F101] the synthesis is given the person's words and every result, and is streamed last", async () => {
    const { frames, mark } = await plan([part({ text: "5950128" }), part({ text: "12:30" })], {
      text: "It is 12:30, and 5950128.",
      paceMs: 5,
    });
    const told = callOf(mark, "synthesis").request.messages.at(-1)?.content ?? "";
    expect(told).toContain(`Please ${mark}`);
    expect(told).toContain('"result":"5950128"');
    expect(textOf(frames.slice(Math.max(...places(frames, "task_completed"))))).toBe("It is 12:30, and 5950128.");
  });

  test("[F53] [F63] a paragraph before and one after a tool call are two items, and the result is both", async () => {
    const a = part([
      { text: "Let me see. ", calls: [{ name: "calculate", arguments: { expression: "2+2" } }] },
      { text: "It is 4." },
    ]);
    const mark = model.act({ triage: handoff("single_agent", ["assistant"], a.query) });
    const heard = await person.say(`Please ${mark}`);
    const { items } = await person.get<{ items: Item[] }>(`/api/v1/conversations/${heard.conversationId}/items`);
    const ofAgent = items.filter(
      ({ agent_name: name, event }) => name === "assistant" && event !== "component_generator",
    );
    expect(ofAgent.map(({ event, payload }) => [event, payload["content"] ?? payload["tool_name"]])).toEqual([
      ["tool_call_completed", "connect_agent"],
      ["message_chunk", "Let me see. "],
      ["tool_call_completed", "calculate"],
      ["message_chunk", "It is 4."],
    ]);
    expect(await tasksOf(heard)).toMatchObject([{ result: "Let me see. It is 4." }]);
  });
});

describe("[F09] agents that the triage chose itself", () => {
  test("several agents are tasks side by side, without a planner", async () => {
    const a = part({ text: TEN_WORDS, paceMs: 5 });
    const mark = model.act({
      triage: handoff("multi_agent", ["assistant", "clock"], a.query),
      synthesis: { text: "Twice." },
    });
    const { frames } = await person.say(`Please ${mark}`);
    const plans = eventsOf(frames, "plan_created").map(({ payload }) => payload.plan);
    expect(plans).toMatchObject([{ tasks: [{ agent_name: "assistant" }, { agent_name: "clock" }] }]);
    expect(model.callsOf(mark).map(({ role }) => role)).toEqual(["triage", "synthesis"]);
    expect(eventsOf(frames, "task_completed")).toHaveLength(2);
  });

  test("[F07] the plan keeps the enriched query and the person's words", async () => {
    const a = part({ text: "Yes." });
    const mark = model.act({ triage: handoff("single_agent", ["assistant"], a.query) });
    const heard = await person.say(`And that one? ${mark}`);
    const { plans } = await person.get<{ plans: Plan[] }>(`/api/v1/conversations/${heard.conversationId}/plans`);
    expect(plans).toMatchObject([{ orig_query: `And that one? ${mark}`, query: a.query }]);
  });
});

describe("[F21] a plan that must not be carried out is refused with the reason, and no task begins", () => {
  const work = (brief: Partial<Brief>): Brief => ({ query: "Work", ...brief });
  const REFUSED: Readonly<Record<string, { briefs: readonly Brief[]; says: RegExp }>> = {
    "an agent that there is not": { briefs: [work({ agent: "wizard" })], says: /agent wizard does not exist/ },
    "a circle": { briefs: [work({ after: ["t1"] }), work({ after: ["t0"] })], says: /circle: t\d → t\d/ },
    "itself as its condition": { briefs: [work({ after: ["t0"] })], says: /circle/ },
    "a condition that there is not": { briefs: [work({ after: ["t9"] })], says: /t0 depends on t9/ },
    "one id twice": { briefs: [work({ id: "x" }), work({ id: "x" })], says: /two tasks with the id x/ },
    "too many tasks": { briefs: Array.from({ length: 9 }, () => work({})), says: /9 tasks; at most 8/ },
  };

  test.each(Object.entries(REFUSED))("%s", async (_, { briefs, says }) => {
    const { conversationId, frames, mark } = await plan(briefs);
    expect(eventsOf(frames, "plan_failed")).toMatchObject([
      { payload: { content: expect.stringMatching(says) as string } },
    ]);
    expect(eventsOf(frames, "task_started")).toEqual([]);
    expect(model.callsOf(mark, "planner")).toHaveLength(1);
    expect(await person.get(`/api/v1/conversations/${conversationId}`)).toMatchObject({ status: "failed" });
    const next = await person.say(`Then this ${model.act({ triage: { text: "Fine." } })}`, { in: conversationId });
    expect(textOf(next.frames)).toBe("Fine.");
    expect(await person.get(`/api/v1/conversations/${conversationId}`)).toMatchObject({ status: "completed" });
  });

  test("[F12] an agent that is disabled is neither offered nor accepted", async () => {
    const enable = (enabled: boolean) => person.request("PATCH", "/api/v1/agents/assistant", { enabled });
    await enable(false);
    try {
      const { frames, mark } = await plan([work({})]);
      expect(eventsOf(frames, "plan_failed")).toHaveLength(1);
      for (const role of ["triage", "planner"]) {
        expect(callOf(mark, role).request.messages[0]?.content).not.toContain('"name":"assistant"');
      }
    } finally {
      await enable(true);
    }
  });

  test("[F20] a plan that is not adequate is guidance, and no failure", async () => {
    const guidance = {
      adequate: false,
      tasks: [],
      reason: "It lacks a city.",
      guidance_message: "Name a city, please.",
    };
    const mark = model.act({
      triage: handoff("needs_planning"),
      planner: { calls: [{ name: "create_plan", arguments: guidance }] },
    });
    const { conversationId, frames } = await person.say(`Weather ${mark}`);
    expect(textOf(frames)).toBe("Name a city, please.");
    expect(frames.map(({ event }) => event)).not.toContain("plan_created");
    expect(await person.get(`/api/v1/conversations/${conversationId}`)).toMatchObject({ status: "completed" });
  });
});

test("[T1] messages that come while one is worked on wait and keep their order", async () => {
  const slow = model.act({ triage: { text: TEN_WORDS, paceMs: 20 } });
  const { conversation_id: id, thread_id: first } = await person.tell(`Slow ${slow}`);
  const quick = [1, 2, 3].map((i) => model.act({ triage: { text: `Answer ${i}.` } }));
  const threads = [first];
  for (const mark of quick.slice(0, 2)) threads.push((await person.tell(`Next ${mark}`, { in: id })).thread_id);
  const last = await person.say(`Last ${quick[2]}`, { in: id });
  const log = await person.history(id);
  expect(breachesIn(log)).toEqual([]);
  expect(eventsOf(log, "done").map(({ thread_id }) => thread_id)).toEqual([...threads, last.threadId]);
  const told = callOf(quick[2] ?? "", "triage").request.messages.map(({ content }) => content);
  expect(told).toEqual(expect.arrayContaining([TEN_WORDS, "Answer 1.", "Answer 2."]));
});

test("[T2] the same idempotency key makes one thread, however often it is sent", async () => {
  const mark = model.act({ triage: { text: TEN_WORDS, paceMs: 10 } });
  const { conversation_id: id } = await person.tell(`First ${model.act({ triage: { text: "Hi." } })}`);
  const send = () =>
    person.request(
      "POST",
      `/api/v1/conversations/${id}/messages`,
      { message: `Once ${mark}` },
      { "idempotency-key": "k1" },
    );
  const answers = await Promise.all(
    [send(), send(), send()].map(async (sent) => (await (await sent).json()) as object),
  );
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
  await person.say(`Last ${model.act({ triage: { text: "Bye." } })}`, { in: id });
  expect(eventsOf(await person.history(id), "thread_started")).toHaveLength(3);
  expect(model.callsOf(mark)).toHaveLength(1);
});
