// Two users over all interfaces: a request with an id of another user gets the same response as one with an unknown id.

import { afterAll, beforeAll, expect, test } from "vitest";
import { ensurePresent } from "../../../src/lib/assert.ts";
import { signToken } from "../../http/tokens.ts";
import { createQuestionReply } from "../../support/question-script.ts";
import { createHandoffReply } from "../../support/model-reply.ts";
import { createApiUser, type ApiUser } from "../../support/api-user.ts";
import { startOpenAISetup, type OpenAISetup } from "./openai-setup.ts";

let setup: OpenAISetup;
let tokens: { readonly ada: string; readonly bob: string };

beforeAll(async () => {
  setup = await startOpenAISetup();
  tokens = { ada: setup.token, bob: await signToken({ sub: "bob" }) };
});
afterAll(() => setup.stop());

const HEADERS = { "content-type": "application/json", "a2a-version": "1.0" };
const createUserMessages = (content: string) => [{ id: crypto.randomUUID(), role: "user", content }];
const createRpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });

/** Resolves with the status and the text of a response, with the given ids masked. */
async function fetchText(
  token: string,
  path: string,
  body: object | null,
  ids: readonly string[],
  more: object = {},
): Promise<string> {
  const response = await fetch(setup.runtime.url + path, {
    method: body === null ? "GET" : "POST",
    headers: { ...HEADERS, ...more, authorization: `Bearer ${token}` },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  });
  const guessedText = ids.reduce((text, id) => text.replaceAll(id, "…"), await response.text());
  return `${response.status} ${guessedText}`;
}

/** Creates requests with the ids of a conversation, its thread and its question, over all interfaces. */
function createGuesses(
  token: string,
  conversation: string,
  thread: string,
  question: string,
): Readonly<Record<string, () => Promise<string>>> {
  const ids = [conversation, thread, question];
  const run = { threadId: conversation, runId: crypto.randomUUID(), messages: [] };
  const task = `${conversation}.${thread}`;
  const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", taskId: task, parts: [{ text: "20" }] };
  const named = { conversation_id: conversation };
  const META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
  };
  const call = (args: object, rest: object = {}) => createRpc("tools/call", { name: "ask", arguments: args, ...rest });
  const elicitation = {
    requestState: JSON.stringify({ ...named, thread_id: thread, request_id: question }),
    inputResponses: { question: { action: "accept", content: { answer: "20" } } },
    _meta: META,
  };
  const stateless = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "ask" };
  const completion = { model: "orrery", messages: [{ role: "user", content: "20" }] };
  const resume = (status: string) => [{ interruptId: question, status, payload: "20" }];
  const createRequest =
    (path: string, body: object | null, more: object = {}) =>
    () =>
      fetchText(token, path, body, ids, more);
  return {
    "AG-UI answers": createRequest("/agui", { ...run, runId: "r", resume: resume("resolved") }),
    "AG-UI withdraws": createRequest("/agui", { ...run, runId: "r", resume: resume("cancelled") }),
    "MCP goes on": createRequest("/mcp", call({ message: "20", ...named })),
    "MCP answers": createRequest("/mcp", call({ message: "20", ...named, request_id: question })),
    "MCP answers what it was asked": createRequest("/mcp", call({ message: "x" }, elicitation), stateless),
    "OpenAI goes on": createRequest("/v1/chat/completions", completion, { "x-orrery-conversation": conversation }),
    "A2A answers": createRequest("/a2a", createRpc("SendMessage", { message })),
    "A2A reads": createRequest("/a2a", createRpc("GetTask", { id: task })),
    "A2A listens": createRequest("/a2a", createRpc("SubscribeToTask", { id: task })),
    "A2A cancels": createRequest("/a2a", createRpc("CancelTask", { id: task })),
    "A2A lists": createRequest("/a2a", createRpc("ListTasks", { contextId: conversation })),
    "reads what is pending": createRequest(`/api/v1/conversations/${conversation}/context`, null),
    "reads the log": createRequest(`/api/v1/conversations/${conversation}/events`, null),
  };
}

async function readPending(ada: ApiUser, id: string) {
  return ada.get<{ pending: { request_id: string; thread_id: string }[] }>(`/api/v1/conversations/${id}/context`);
}

test("[U1] no interface lets Bob read Ada's conversation or answer her question", async () => {
  const mark = setup.model.addScript({
    triage: createHandoffReply("needs_planning"),
    planner: [createQuestionReply("A secret question?")],
  });
  const ada = createApiUser(setup.runtime.url, tokens.ada);
  const { conversationId: id } = await ada.sendAndWait(`A secret ${mark}`);
  const question = ensurePresent((await readPending(ada, id)).pending[0], "her question");
  const adaGuesses = createGuesses(tokens.bob, id, question.thread_id, question.request_id);
  const unusedIdGuesses = createGuesses(
    tokens.bob,
    `conv-${"0".repeat(32)}`,
    `th-${"0".repeat(32)}`,
    `req-${"0".repeat(32)}`,
  );
  for (const [name, guess] of Object.entries(adaGuesses)) {
    const [guessedText, unusedIdText] = [await guess(), await unusedIdGuesses[name]?.()];
    expect([name, guessedText]).toEqual([name, unusedIdText]);
    expect(guessedText).not.toContain("secret");
  }
  expect(await readPending(ada, id)).toMatchObject({ pending: [question] });
  // The same requests work for Ada.
  const adaOwnRequests = createGuesses(tokens.ada, id, question.thread_id, question.request_id);
  for (const name of ["A2A reads", "A2A lists", "reads what is pending", "reads the log"]) {
    expect(await adaOwnRequests[name]?.()).toContain("secret");
  }
  expect(await adaOwnRequests["MCP answers what it was asked"]?.()).toMatch(
    /^200 .*"resultType":"(complete|input_required)"/,
  );
  expect((await readPending(ada, id)).pending).not.toContainEqual(question);
});

test("[U1] a conversation that Bob creates with the id of Ada's is a separate one", async () => {
  const ada = createApiUser(setup.runtime.url, tokens.ada);
  const { conversationId: id } = await ada.sendAndWait(`A secret ${setup.scriptAnswer("Hers.")}`);
  const before = await ada.history(id);
  const prompt = `What was said? ${setup.scriptAnswer("His.")}`;
  const run = { threadId: id, runId: crypto.randomUUID(), messages: createUserMessages(prompt) };
  expect(await fetchText(tokens.bob, "/agui", run, [])).not.toContain("secret");
  const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", contextId: id, parts: [{ text: prompt }] };
  expect(await fetchText(tokens.bob, "/a2a", createRpc("SendMessage", { message }), [])).not.toContain("secret");
  const calls = setup.model.calls.filter(({ request }) => JSON.stringify(request.messages).includes("What was said?"));
  expect(calls).toHaveLength(2);
  for (const { request } of calls) expect(JSON.stringify(request.messages)).not.toContain("secret");
  expect(await ada.history(id)).toEqual(before);
});
