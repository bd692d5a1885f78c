// Questions of third-party agents.

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { AgentEvent, AgentReply } from "../../src/protocol/agents/agent.ts";
import { collect, createRequest, rejectAfter } from "../agents/fixtures/local-agent.ts";
import { createCard } from "./fixtures/faulty-server.ts";
import { createTestDispatcher, createUrlAgent } from "./fixtures/test-dispatcher.ts";

type SentCall = { readonly method: string; readonly params: Record<string, unknown> };

const never = new AbortController().signal;
let calls: SentCall[];
/** Answers a JSON-RPC call: a single result as JSON, a list as a stream. */
let respond: (call: SentCall) => unknown;
let card: Record<string, unknown>;
let url: string;
let count = 0;

beforeEach(() => {
  calls = [];
  card = {};
  url = `https://stranger-${(count += 1)}.dev/.well-known/agent-card.json`;
  vi.stubGlobal("fetch", async (input: string, init?: RequestInit) => {
    if (init?.method !== "POST") return Response.json(createCard(new URL("/rpc", input).href, card));
    const { id, ...call } = JSON.parse(init.body as string) as SentCall & { id: number };
    calls.push(call);
    const answer = await respond(call);
    const wrap = (result: unknown) => JSON.stringify({ jsonrpc: "2.0", id, result });
    if (!Array.isArray(answer)) return new Response(wrap(answer), { headers: { "content-type": "application/json" } });
    const body = answer.map((result) => `data: ${wrap(result)}\n\n`).join("");
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
});
afterEach(() => vi.unstubAllGlobals());

const { agents } = createTestDispatcher();

function run(reply?: AgentReply): Promise<AgentEvent[]> {
  return collect(
    agents.run(createUrlAgent(url), { ...createRequest("Book"), ...(reply === undefined ? {} : { reply }) }, never),
  );
}

/** Returns the state that the agent gets back with the answer to its question. */
function getQuestionState(events: readonly AgentEvent[]): { readonly state?: string } {
  const question = events.at(-1);
  return question?.type === "input_required" && question.state !== undefined ? { state: question.state } : {};
}

const oldCard = { url: "https://old.dev/rpc", protocolVersion: "0.3.0", supportedInterfaces: undefined };
const NON_STREAMING = { capabilities: { streaming: false } };
const message = { messageId: "q-1", role: "ROLE_AGENT", parts: [{ text: "Which city?" }] };
const createTask = (state: string, extra: object = {}) => ({
  id: "t-1",
  contextId: "conv-1",
  status: { state: `TASK_STATE_${state}`, ...extra },
});
const askingTask = createTask("INPUT_REQUIRED", { message });
const createTask03 = (state: string, extra: object = {}) => ({
  kind: "task",
  id: "t-1",
  contextId: "conv-1",
  status: { state, ...extra },
});
const question03 = { kind: "message", messageId: "q-1", role: "agent", parts: [{ kind: "text", text: "Which city?" }] };
const askingTask03 = createTask03("input-required", { message: question03 });
const answeredFields = { artifacts: [{ artifactId: "a", parts: [{ text: "Booked." }] }] };
const answeredFields03 = { artifacts: [{ artifactId: "a", parts: [{ kind: "text", text: "Booked." }] }] };
const update = ({ id: taskId, contextId, status }: ReturnType<typeof createTask>) => ({
  statusUpdate: { taskId, contextId, status },
});

/** How each kind of agent asks, and its final answer. */
const KINDS: Record<string, { card: Record<string, unknown>; ask: (call: SentCall) => unknown; end: unknown }> = {
  "1.0 that streams": {
    card: {},
    ask: () => [{ task: createTask("WORKING") }, update(askingTask)],
    end: [{ task: { ...createTask("COMPLETED"), ...answeredFields } }],
  },
  "1.0 that streams whole tasks": {
    card: {},
    ask: () => [{ task: askingTask }],
    end: [{ task: { ...createTask("COMPLETED"), ...answeredFields } }],
  },
  "1.0 that does not stream": {
    card: NON_STREAMING,
    ask: () => ({ task: askingTask }),
    end: { task: { ...createTask("COMPLETED"), ...answeredFields } },
  },
  "1.0 that has to be asked for": {
    card: NON_STREAMING,
    ask: ({ method }) => (method === "GetTask" ? askingTask : { task: createTask("SUBMITTED") }),
    end: { task: { ...createTask("COMPLETED"), ...answeredFields } },
  },
  "0.3 that streams": {
    card: oldCard,
    ask: () => [
      createTask03("submitted"),
      { kind: "status-update", taskId: "t-1", contextId: "conv-1", status: askingTask03.status, final: true },
    ],
    end: [{ ...createTask03("completed"), ...answeredFields03 }],
  },
  "0.3 that does not stream": {
    card: { ...oldCard, ...NON_STREAMING },
    ask: () => askingTask03,
    end: { ...createTask03("completed"), ...answeredFields03 },
  },
};

describe.each(Object.entries(KINDS))("agent of A2A %s", (_name, { card: kindCard, ask, end }) => {
  test("asks, is not cancelled and receives the plain answer in its task", async () => {
    card = kindCard;
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

  test("is not cancelled when the reader leaves after the question", async () => {
    card = kindCard;
    respond = ask;
    for await (const event of agents.run(createUrlAgent(url), createRequest("Book"), never))
      if (event.type === "input_required") break;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(calls.filter(({ method }) => /cancel/i.test(method))).toEqual([]);
  });

  test("is cancelled when no answer will come", async () => {
    card = kindCard;
    respond = ({ method }) => (method.startsWith("tasks/") ? createTask03("canceled") : createTask("CANCELED"));
    await agents.cancel(createUrlAgent(url), "t-1");
    expect(calls).toMatchObject([{ method: "url" in kindCard ? "tasks/cancel" : "CancelTask", params: { id: "t-1" } }]);
  });
});

describe("agent that sends output before it asks", () => {
  const shown = { artifactId: "draft", parts: [{ text: "A draft." }] };
  const final = { artifactId: "final", parts: [{ text: "Booked." }] };

  test.each([
    ["returns its whole task each time", NON_STREAMING, (task: object) => ({ task })],
    ["streams its task", {}, (task: object) => [{ task }]],
  ])("which %s does not repeat output after the answer", async (_name, kindCard, wrapTask) => {
    card = kindCard;
    respond = () => wrapTask({ ...askingTask, artifacts: [shown] });
    const first = await run();
    expect(first).toMatchObject([{ type: "accepted" }, { type: "text", text: "A draft." }, { prompt: "Which city?" }]);
    const replyTo = (events: AgentEvent[], message: string): AgentReply => ({
      answer: { message },
      remote_task_id: "t-1",
      ...getQuestionState(events),
    });
    const second = await run(replyTo(first, "hm"));
    expect(second).toMatchObject([{ type: "accepted" }, { prompt: "Which city?" }]);
    calls = [];
    respond = () => wrapTask({ ...createTask("COMPLETED"), artifacts: [shown, final] });
    expect((await run(replyTo(second, "Oslo"))).slice(1)).toEqual([
      { type: "text", text: "Booked." },
      { type: "completed" },
    ]);
    expect(JSON.stringify(calls)).not.toContain("A draft.");
  });

  test("may send the same text again in another artifact", async () => {
    respond = () => [{ task: { ...askingTask, artifacts: [shown] } }];
    const { state = "" } = getQuestionState(await run());
    const at = { taskId: "t-1", contextId: "conv-1" };
    respond = () => [
      { artifactUpdate: { ...at, artifact: { artifactId: "draft", parts: [{ text: "A " }] } } },
      { artifactUpdate: { ...at, artifact: { artifactId: "draft", parts: [{ text: "draft." }] }, append: true } },
      { task: { ...createTask("COMPLETED"), artifacts: [shown] } },
    ];
    expect((await run({ answer: { message: "again" }, remote_task_id: "t-1", state })).slice(1)).toEqual([
      { type: "text", text: "A draft." },
      { type: "completed" },
    ]);
  });
});

test("after a question, changed data is published and unchanged data is not", async () => {
  const table = (seats: number) => ({ artifactId: "table", parts: [{ text: "The table:" }, { data: { seats } }] });
  const map = { artifactId: "map", parts: [{ url: "https://a.dev/map.png" }] };
  respond = () => [{ task: { ...askingTask, artifacts: [table(2), map] } }];
  const first = await run();
  expect(first.filter(({ type }) => type === "component")).toHaveLength(2);
  const { state = "" } = getQuestionState(first);
  respond = () => [{ task: { ...createTask("COMPLETED"), artifacts: [table(4), map] } }];
  expect(await run({ answer: { message: "four" }, remote_task_id: "t-1", state })).toEqual([
    { type: "accepted", remote_task_id: "t-1" },
    { type: "component", component_type: "data", content: '{"seats":4}', component_id: "t-1-table-1" },
    { type: "completed" },
  ]);
});

test("an agent with its own context id is answered in it", async () => {
  respond = () => [{ task: { ...askingTask, contextId: "theirs" } }];
  const { state = "" } = getQuestionState(await run());
  calls = [];
  respond = () => [{ task: { ...createTask("COMPLETED"), ...answeredFields } }];
  await run({ answer: { message: "Oslo" }, remote_task_id: "t-1", state });
  expect(calls[0]?.params["message"]).toMatchObject({ contextId: "theirs", taskId: "t-1" });
});

test("keeps the context id of an agent that omits it later, also after an answer", async () => {
  const asking = { statusUpdate: { taskId: "t-1", status: askingTask.status } };
  respond = () => [{ task: { ...createTask("WORKING"), contextId: "theirs" } }, asking];
  let events = await run();
  for (const city of ["Oslo", "Rome"]) {
    const { state = "" } = getQuestionState(events);
    calls = [];
    respond = () => [asking];
    events = await run({ answer: { message: city }, remote_task_id: "t-1", state });
    expect(calls[0]?.params["message"]).toMatchObject({ contextId: "theirs", taskId: "t-1" });
  }
});

test("an agent that asks for credentials fails", async () => {
  respond = () => [{ task: createTask("AUTH_REQUIRED", { message }) }];
  expect((await run()).at(-1)).toMatchObject({ type: "failed", code: "agent_unauthorized" });
});

test("cancels the task of an agent that fails before it accepts the answer", async () => {
  respond = ({ method }) => (method === "CancelTask" ? createTask("CANCELED") : []);
  expect((await run({ answer: { message: "Oslo" }, remote_task_id: "t-1" })).at(-1)).toMatchObject({ type: "failed" });
  await vi.waitFor(() => expect(calls.at(-1)).toMatchObject({ method: "CancelTask", params: { id: "t-1" } }));
});

describe("cancel() after a question", () => {
  test.each<[string, typeof respond]>([
    ["an error", () => Promise.reject(new TypeError("no route"))],
    ["an invalid result", () => "?"],
  ])("never rejects: %s", async (_name, how) => {
    respond = how;
    await agents.cancel(createUrlAgent(url), "t-1");
    expect(calls).toHaveLength(1);
  });

  test("never rejects: an agent that is unreachable, forbidden or unknown", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no route")));
    await agents.cancel(createUrlAgent(url), "t-1");
    await agents.cancel({ ...createUrlAgent(url), url: "http://10.0.0.1/" }, "t-1");
    await agents.cancel({ ...createUrlAgent(url), source: "binding", name: "nobody" }, "t-1");
  });

  test("takes at most two seconds, including the connection", async () => {
    vi.stubGlobal("fetch", () => new Promise(() => undefined));
    const began = Date.now();
    await rejectAfter(2_500, agents.cancel(createUrlAgent(url), "t-1"));
    expect(Date.now() - began).toBeGreaterThan(1_900);
  });
});
