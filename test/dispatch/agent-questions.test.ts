// Questions of agents that know nothing of us.

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createDispatcher } from "../../src/dispatch/dispatcher.ts";
import type { Agent, AgentEvent, AgentReply } from "../../src/protocol/agents/agent.ts";
import { parseSettings } from "../../src/settings.ts";
import { collect, requestFor, within } from "../agents/fixtures/local.ts";
import { cardAt } from "./fixtures/bad-server.ts";

type Sent = { readonly method: string; readonly params: Record<string, unknown> };

const never = new AbortController().signal;
let calls: Sent[];
/** Answers one JSON-RPC call: one result is plain JSON, a list is a stream. */
let respond: (call: Sent) => unknown;
let card: Record<string, unknown>;
let url: string;
let count = 0;

beforeEach(() => {
  calls = [];
  card = {};
  url = `https://stranger-${(count += 1)}.dev/.well-known/agent-card.json`;
  vi.stubGlobal("fetch", async (input: string, init?: RequestInit) => {
    if (init?.method !== "POST") return Response.json(cardAt(new URL("/rpc", input).href, card));
    const { id, ...call } = JSON.parse(init.body as string) as Sent & { id: number };
    calls.push(call);
    const answer = await respond(call);
    const wrap = (result: unknown) => JSON.stringify({ jsonrpc: "2.0", id, result });
    if (!Array.isArray(answer)) return new Response(wrap(answer), { headers: { "content-type": "application/json" } });
    const body = answer.map((result) => `data: ${wrap(result)}\n\n`).join("");
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
});
afterEach(() => vi.unstubAllGlobals());

const agents = createDispatcher({
  bindings: {},
  userId: "user-1",
  hosted: async () => [],
  remote: async () => [],
  disabled: async () => new Set(),
  settings: parseSettings({}),
  report: () => undefined,
});

function agentAt(): Agent {
  return {
    name: "stranger",
    description: "",
    version: "1",
    skills: [],
    capabilities: { streaming: true, push_notifications: false },
    planner_passthrough: false,
    hidden: false,
    source: "url",
    url,
    enabled: true,
  };
}

function run(reply?: AgentReply): Promise<AgentEvent[]> {
  return collect(agents.run(agentAt(), { ...requestFor("Book"), ...(reply === undefined ? {} : { reply }) }, never));
}

const oldCard = { url: "https://old.dev/rpc", protocolVersion: "0.3.0", supportedInterfaces: undefined };
const mute = { capabilities: { streaming: false } };
const message = { messageId: "q-1", role: "ROLE_AGENT", parts: [{ text: "Which city?" }] };
const task10 = (state: string, extra: object = {}) => ({
  id: "t-1",
  contextId: "conv-1",
  status: { state: `TASK_STATE_${state}`, ...extra },
});
const asks10 = task10("INPUT_REQUIRED", { message });
const task03 = (state: string, extra: object = {}) => ({
  kind: "task",
  id: "t-1",
  contextId: "conv-1",
  status: { state, ...extra },
});
const words03 = { kind: "message", messageId: "q-1", role: "agent", parts: [{ kind: "text", text: "Which city?" }] };
const asks03 = task03("input-required", { message: words03 });
const answered = { artifacts: [{ artifactId: "a", parts: [{ text: "Booked." }] }] };
const answered03 = { artifacts: [{ artifactId: "a", parts: [{ kind: "text", text: "Booked." }] }] };
const update = ({ id: taskId, contextId, status }: ReturnType<typeof task10>) => ({
  statusUpdate: { taskId, contextId, status },
});

/** How each kind of agent asks, and how it answers in the end. */
const KINDS: Record<string, { card: Record<string, unknown>; ask: (call: Sent) => unknown; end: unknown }> = {
  "1.0 that streams": {
    card: {},
    ask: () => [{ task: task10("WORKING") }, update(asks10)],
    end: [{ task: { ...task10("COMPLETED"), ...answered } }],
  },
  "1.0 that streams whole tasks": {
    card: {},
    ask: () => [{ task: asks10 }],
    end: [{ task: { ...task10("COMPLETED"), ...answered } }],
  },
  "1.0 that does not stream": {
    card: mute,
    ask: () => ({ task: asks10 }),
    end: { task: { ...task10("COMPLETED"), ...answered } },
  },
  "1.0 that has to be asked for": {
    card: mute,
    ask: ({ method }) => (method === "GetTask" ? asks10 : { task: task10("SUBMITTED") }),
    end: { task: { ...task10("COMPLETED"), ...answered } },
  },
  "0.3 that streams": {
    card: oldCard,
    ask: () => [
      task03("submitted"),
      { kind: "status-update", taskId: "t-1", contextId: "conv-1", status: asks03.status, final: true },
    ],
    end: [{ ...task03("completed"), ...answered03 }],
  },
  "0.3 that does not stream": {
    card: { ...oldCard, ...mute },
    ask: () => asks03,
    end: { ...task03("completed"), ...answered03 },
  },
};

describe.each(Object.entries(KINDS))("an agent of A2A %s", (_name, { card: own, ask, end }) => {
  test("asks, is not cancelled, and gets the answer in its task as plain words", async () => {
    card = own;
    respond = ask;
    expect(await run()).toEqual([
      { type: "accepted", remote_task_id: "t-1" },
      { type: "input_required", prompt: "Which city?" },
    ]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(calls.map(({ method }) => method).filter((method) => /cancel/i.test(method))).toEqual([]);
    calls = [];
    respond = () => end;
    expect(await run({ answer: { message: "Oslo" }, remote_task_id: "t-1" })).toEqual([
      { type: "accepted", remote_task_id: "t-1" },
      { type: "text", text: "Booked." },
      { type: "completed" },
    ]);
    expect(calls).toHaveLength(1);
    expect(calls[0]?.params["message"]).toMatchObject({
      messageId: "msg-1",
      contextId: "conv-1",
      taskId: "t-1",
      parts: [{ text: "Oslo" }],
    });
  });

  test("is not cancelled by a reader who leaves with the question", async () => {
    card = own;
    respond = ask;
    for await (const event of agents.run(agentAt(), requestFor("Book"), never))
      if (event.type === "input_required") break;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(calls.filter(({ method }) => /cancel/i.test(method))).toEqual([]);
  });

  test("is told when no answer will come", async () => {
    card = own;
    respond = ({ method }) => (method.startsWith("tasks/") ? task03("canceled") : task10("CANCELED"));
    await agents.cancel(agentAt(), "t-1");
    expect(calls).toMatchObject([{ method: "url" in own ? "tasks/cancel" : "CancelTask", params: { id: "t-1" } }]);
  });
});

describe("an agent that shows something before it asks", () => {
  const shown = { artifactId: "draft", parts: [{ text: "A draft." }] };
  const final = { artifactId: "final", parts: [{ text: "Booked." }] };

  test.each([
    ["tells its task whole each time", mute, (task: object) => ({ task })],
    ["streams its task", {}, (task: object) => [{ task }]],
  ])("and %s repeats nothing to the person", async (_name, own, as) => {
    card = own;
    respond = () => as({ ...asks10, artifacts: [shown] });
    const first = await run();
    expect(first).toMatchObject([{ type: "accepted" }, { type: "text", text: "A draft." }, { prompt: "Which city?" }]);
    const replyTo = (events: AgentEvent[], words: string): AgentReply => {
      const question = events.at(-1);
      const state = question?.type === "input_required" ? question.state : undefined;
      return { answer: { message: words }, remote_task_id: "t-1", ...(state === undefined ? {} : { state }) };
    };
    const second = await run(replyTo(first, "hm"));
    expect(second).toMatchObject([{ type: "accepted" }, { prompt: "Which city?" }]);
    calls = [];
    respond = () => as({ ...task10("COMPLETED"), artifacts: [shown, final] });
    expect((await run(replyTo(second, "Oslo"))).slice(1)).toEqual([
      { type: "text", text: "Booked." },
      { type: "completed" },
    ]);
    expect(JSON.stringify(calls)).not.toContain("A draft.");
  });

  test("and says the same words again in another artifact is heard again", async () => {
    respond = () => [{ task: { ...asks10, artifacts: [shown] } }];
    const question = (await run()).at(-1);
    const { state = "" } = question?.type === "input_required" ? question : {};
    respond = () => [
      {
        artifactUpdate: {
          taskId: "t-1",
          contextId: "conv-1",
          artifact: { artifactId: "draft", parts: [{ text: "A " }] },
        },
      },
      {
        artifactUpdate: {
          taskId: "t-1",
          contextId: "conv-1",
          artifact: { artifactId: "draft", parts: [{ text: "draft." }] },
          append: true,
        },
      },
      { task: { ...task10("COMPLETED"), artifacts: [shown] } },
    ];
    expect((await run({ answer: { message: "again" }, remote_task_id: "t-1", state })).slice(1)).toEqual([
      { type: "text", text: "A draft." },
      { type: "completed" },
    ]);
  });
});

test("after a question, data that changed under the same words is shown, and what stayed the same is not", async () => {
  const table = (seats: number) => ({ artifactId: "table", parts: [{ text: "The table:" }, { data: { seats } }] });
  const map = { artifactId: "map", parts: [{ url: "https://a.dev/map.png" }] };
  respond = () => [{ task: { ...asks10, artifacts: [table(2), map] } }];
  const first = await run();
  expect(first.filter(({ type }) => type === "component")).toHaveLength(2);
  const question = first.at(-1);
  const { state = "" } = question?.type === "input_required" ? question : {};
  respond = () => [{ task: { ...task10("COMPLETED"), artifacts: [table(4), map] } }];
  expect(await run({ answer: { message: "four" }, remote_task_id: "t-1", state })).toEqual([
    { type: "accepted", remote_task_id: "t-1" },
    { type: "component", component_type: "data", content: '{"seats":4}', component_id: "t-1-table-1" },
    { type: "completed" },
  ]);
});

test("an agent that goes by a context of its own is answered in it", async () => {
  respond = () => [{ task: { ...asks10, contextId: "theirs" } }];
  const question = (await run()).at(-1);
  const { state = "" } = question?.type === "input_required" ? question : {};
  calls = [];
  respond = () => [{ task: { ...task10("COMPLETED"), ...answered } }];
  await run({ answer: { message: "Oslo" }, remote_task_id: "t-1", state });
  expect(calls[0]?.params["message"]).toMatchObject({ contextId: "theirs", taskId: "t-1" });
});

test("a context that is left out later is the one that was told, also after an answer", async () => {
  const asking = { statusUpdate: { taskId: "t-1", status: asks10.status } };
  respond = () => [{ task: { ...task10("WORKING"), contextId: "theirs" } }, asking];
  let question = (await run()).at(-1);
  for (const city of ["Oslo", "Rome"]) {
    const { state = "" } = question?.type === "input_required" ? question : {};
    calls = [];
    respond = () => [asking];
    question = (await run({ answer: { message: city }, remote_task_id: "t-1", state })).at(-1);
    expect(calls[0]?.params["message"]).toMatchObject({ contextId: "theirs", taskId: "t-1" });
  }
});

test("one that asks for credentials has failed", async () => {
  respond = () => [{ task: task10("AUTH_REQUIRED", { message }) }];
  expect((await run()).at(-1)).toMatchObject({ type: "failed", code: "agent_unauthorized" });
});

test("one that fails an answer before it has taken it up is told to stop", async () => {
  respond = ({ method }) => (method === "CancelTask" ? task10("CANCELED") : []);
  expect((await run({ answer: { message: "Oslo" }, remote_task_id: "t-1" })).at(-1)).toMatchObject({ type: "failed" });
  await vi.waitFor(() => expect(calls.at(-1)).toMatchObject({ method: "CancelTask", params: { id: "t-1" } }));
});

describe("telling that no answer will come", () => {
  test.each<[string, typeof respond]>([
    ["an error", () => Promise.reject(new TypeError("no route"))],
    ["another thing", () => "?"],
  ])("never rejects: %s", async (_name, how) => {
    respond = how;
    await agents.cancel(agentAt(), "t-1");
    expect(calls).toHaveLength(1);
  });

  test("never rejects: an agent that is gone, or must not be called", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no route")));
    await agents.cancel(agentAt(), "t-1");
    await agents.cancel({ ...agentAt(), url: "http://10.0.0.1/" }, "t-1");
    await agents.cancel({ ...agentAt(), source: "binding", name: "nobody" }, "t-1");
  });

  test("takes two seconds at most, the way there included", async () => {
    vi.stubGlobal("fetch", () => new Promise(() => undefined));
    const began = Date.now();
    await within(2_500, agents.cancel(agentAt(), "t-1"));
    expect(Date.now() - began).toBeGreaterThan(1_900);
  });
});
