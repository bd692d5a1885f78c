// [T2] The same client message id creates one thread, through any door. A repeated command gets the outcome of the
// first one, at any time: at once, during its thread, after its end and after a crash.

import { beforeAll, describe, expect, test, vi } from "vitest";
import { filterEvents, type ApiUser } from "../support/api-user.ts";
import { createTemplateConfig } from "../support/workflow-configs.ts";
import { callRpc, createConversation, DOOR_NAMES, DOORS, request, sendSocketCommand } from "./doors.ts";
import { createUser, scriptAnswer, scriptQuestion, startContractSetup, type Setup } from "./setup.ts";

const WORDS = Array.from({ length: 30 }, (_, i) => `w${i}`).join(" ");

let setup: Setup;
let ada: { readonly name: string; readonly api: ApiUser };

beforeAll(async () => {
  setup = await startContractSetup();
  ada = await createUser(setup, "ada");
});

const createKey = () => `key-${crypto.randomUUID()}`;
const countThreads = async (conversation: string) =>
  filterEvents(await ada.api.history(conversation), "thread_started").length;

describe.each(DOOR_NAMES)("[T2] a message over %s that is sent again with its id", (name) => {
  const send = (message: string, conversation: string, id: string, user = ada.name) =>
    DOORS[name].send(setup, user, { message, conversation, id });

  test("gets the same answer from one thread, at once, during it and after its end", async () => {
    const conversation = await createConversation(setup, ada.name);
    const { mark, message } = scriptAnswer(setup, WORDS, 10);
    const id = createKey();
    const first = [send(message, conversation, id), send(message, conversation, id)];
    await vi.waitFor(() => expect(setup.model.getCalls(mark)).toHaveLength(1), 10_000);
    const replies = await Promise.all([...first, send(message, conversation, id)]);
    replies.push(await send(message, conversation, id));
    for (const reply of replies) expect([name, reply.end, reply.text]).toEqual([name, "completed", WORDS]);
    expect(await countThreads(conversation)).toBe(1);
    expect(setup.model.getCalls(mark)).toHaveLength(1);
  });

  test("is refused with another text, also after the end, and starts nothing", async () => {
    const conversation = await createConversation(setup, ada.name);
    const { mark, message } = scriptAnswer(setup, "First.");
    const id = createKey();
    expect((await send(message, conversation, id)).text).toBe("First.");
    const other = await send(`${message} again`, conversation, id);
    expect([name, other.end, other.raw]).toEqual([name, "refused", expect.stringContaining("already used")]);
    expect((await send(message, conversation, id)).text).toBe("First.");
    expect(await countThreads(conversation)).toBe(1);
    expect(setup.model.getCalls(mark)).toHaveLength(1);
  });

  test("belongs to its user and to its id only", async () => {
    const conversation = await createConversation(setup, ada.name);
    const eve = await createUser(setup, "eve");
    const evesConversation = await createConversation(setup, eve.name);
    const { mark, message } = scriptAnswer(setup, "Once.");
    const id = createKey();
    await send(message, conversation, id);
    expect((await send(message, conversation, `${id}-2`)).text).toBe("Once.");
    expect((await send(message, evesConversation, id, eve.name)).text).toBe("Once.");
    expect(await countThreads(conversation)).toBe(2);
    expect(setup.model.getCalls(mark)).toHaveLength(3);
  });
});

test("[T2] [F13] a client of any door that repeats its message after a crash gets the complete answer once", async () => {
  const runs = await Promise.all(
    DOOR_NAMES.map(async (name) => {
      const { mark, message } = scriptAnswer(setup, WORDS, 40);
      const options = { message, conversation: await createConversation(setup, ada.name), id: createKey() };
      const interrupted = DOORS[name].send(setup, ada.name, options).catch(() => null);
      return { name, mark, options, interrupted };
    }),
  );
  for (const { mark } of runs) await vi.waitFor(() => expect(setup.model.getCalls(mark)).toHaveLength(1), 10_000);
  await setup.runtime.kill();
  await Promise.all(runs.map(({ interrupted }) => interrupted));
  await setup.runtime.restart();
  await Promise.all(
    runs.map(async ({ name, options }) => {
      const reply = await DOORS[name].send(setup, ada.name, options);
      expect([name, reply.end]).toEqual([name, "completed"]);
      // A door that streams also repeats what it had streamed before the crash.
      expect(reply.text.endsWith(WORDS), name).toBe(true);
      const { items } = await ada.api.get<{ items: { event: string; payload: { content?: string } }[] }>(
        `/api/v1/conversations/${options.conversation}/items`,
      );
      const texts = items.flatMap(({ event, payload }) => (event === "message_chunk" ? [payload.content] : []));
      expect([name, texts]).toEqual([name, [WORDS]]);
      expect(await countThreads(options.conversation)).toBe(1);
    }),
  );
});

test("[T2] a key that is used again for another request gets 422 in each request that takes one", async () => {
  const first = scriptAnswer(setup, "Once.").message;
  const key = createKey();
  const start = (body: object) => post("/api/v1/messages", body, key);
  const { conversation_id, thread_id } = JSON.parse((await start({ message: first })).text) as Record<string, string>;
  const path = `/api/v1/conversations/${conversation_id}`;
  const context = (topic: string) => ({ message: first, context: { b: 1, a: { topic } } });
  const contextKey = createKey();
  await post(`${path}/messages`, context("x"), contextKey);
  const template = { ...createTemplateConfig(), status: "released" };
  const created = await request(setup, ada.name, "POST", "/api/v1/plan-templates", template);
  const { plan_id } = JSON.parse(created.text) as Record<string, string>;
  const startKey = createKey();
  const instances = `/api/v1/plan-templates/${plan_id}/instances`;
  await post(instances, { context: { seats: 1 } }, startKey);
  const repeated = await Promise.all([
    start({ message: first }),
    post(`${path}/messages`, { context: { a: { topic: "x" }, b: 1 }, message: first }, contextKey),
    post(instances, { context: { seats: 1 } }, startKey),
  ]);
  expect(repeated.map(({ status }) => status)).toEqual([202, 202, 202]);
  const others = await Promise.all([
    start({ message: "Something else" }),
    start({ message: first, agent: "assistant" }),
    post(`${path}/messages`, context("y"), contextKey),
    post(`${path}/resume`, { message: "yes" }, key),
    post(`${path}/cancel`, { thread_id }, key),
    post(instances, { context: { seats: 2 } }, startKey),
  ]);
  for (const { status, text } of others)
    expect([status, JSON.parse(text)]).toMatchObject([422, { code: "unprocessable", field: "id" }]);
});

type Command = (conversation: string, requestId: string, id: string) => Promise<string>;

/** Answers a question. Resolves with the outcome as text. */
const ANSWERS: Readonly<Record<string, Command>> = {
  HTTP: async (conversation, request_id, id) =>
    (await post(`/api/v1/conversations/${conversation}/resume`, { message: "20", request_id }, id)).text,
  RPC: (conversation, request_id, id) =>
    callRpc(setup, "resume", [ada.name, conversation, { message: "20", request_id }, id]),
  socket: (conversation, request_id, id) =>
    sendSocketCommand(setup, ada.name, conversation, { type: "resume", id, message: "20", request_id }),
};

const post = (path: string, body: object, id: string) =>
  request(setup, ada.name, "POST", path, body, { "idempotency-key": id });

describe.each(Object.entries(ANSWERS))("[T2] [H1] an answer over %s", (_, answer) => {
  test("that is sent again gets the same outcome and answers once", async () => {
    const { conversationId, frames } = await ada.api.sendAndWait(scriptQuestion(setup, "Paid.").message);
    const [question] = filterEvents(frames, "plan_require_user_input");
    const requestId = question?.payload.request_id ?? "";
    const id = createKey();
    const [first, second] = await Promise.all([1, 2].map(() => answer(conversationId, requestId, id)));
    const done = () => ada.api.history(conversationId).then((log) => filterEvents(log, "done"));
    await vi.waitFor(async () => expect(await done()).toHaveLength(1), 10_000);
    expect([second, await answer(conversationId, requestId, id)]).toEqual([first, first]);
    expect(await answer(conversationId, requestId, createKey())).toMatch(/"code":"question_answered"/);
    expect(await countThreads(conversationId)).toBe(1);
  });
});

/** Cancels a thread. RPC commands of this kind have no id. */
const CANCELS: Readonly<Record<string, (conversation: string, thread: string, id: string) => Promise<string>>> = {
  HTTP: async (conversation, thread_id, id) =>
    (await post(`/api/v1/conversations/${conversation}/cancel`, { thread_id, id }, id)).text,
  socket: (conversation, thread_id, id) =>
    sendSocketCommand(setup, ada.name, conversation, { type: "cancel", id, thread_id }),
};

describe.each(Object.entries(CANCELS))("[T2] [T5] a cancel command over %s", (_, cancel) => {
  test("that is sent again gets the same outcome and cancels nothing else", async () => {
    const slow = () => scriptAnswer(setup, WORDS, 100).message;
    const { conversation_id, thread_id } = await ada.api.send(slow());
    const next = await ada.api.send(slow(), { conversation: conversation_id });
    const id = createKey();
    const first = await cancel(conversation_id, thread_id, id);
    expect(first).toContain(thread_id);
    expect(await cancel(conversation_id, thread_id, id)).toBe(first);
    const log = await ada.api.history(conversation_id);
    expect(filterEvents(log, "done").map((data) => data.thread_id)).toEqual([thread_id]);
    expect(await cancel(conversation_id, next.thread_id, createKey())).toContain(next.thread_id);
  });
});
