// Two people with tokens, through all doors: who guesses an id of somebody else finds what anybody finds who makes one up.

import { afterAll, beforeAll, expect, test } from "vitest";
import { ensurePresent } from "../../../src/protocol/assert.ts";
import { signed } from "../../http/tokens.ts";
import { ask } from "../../support/asking.ts";
import { handoff } from "../../support/model-reply.ts";
import { personAt, type Person } from "../../support/person.ts";
import { startStage, type Stage } from "./openai-stage.ts";

let stage: Stage;
let tokens: { readonly ada: string; readonly bob: string };

beforeAll(async () => {
  stage = await startStage();
  tokens = { ada: stage.token, bob: await signed({ sub: "bob" }) };
});
afterAll(() => stage.stop());

const HEADERS = { "content-type": "application/json", "a2a-version": "1.0" };
const user = (content: string) => [{ id: crypto.randomUUID(), role: "user", content }];
const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });

/** Status and words of what somebody gets, without the ids that they had put into it. */
async function gets(
  token: string,
  path: string,
  body: object | null,
  ids: readonly string[],
  more: object = {},
): Promise<string> {
  const response = await fetch(stage.runtime.url + path, {
    method: body === null ? "GET" : "POST",
    headers: { ...HEADERS, ...more, authorization: `Bearer ${token}` },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  });
  const told = ids.reduce((text, id) => text.replaceAll(id, "…"), await response.text());
  return `${response.status} ${told}`;
}

/** Every way to name what somebody else may have: a conversation, its thread, and its question. */
function guesses(
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
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
  };
  const call = (args: object, rest: object = {}) => rpc("tools/call", { name: "ask", arguments: args, ...rest });
  const elicited = {
    requestState: JSON.stringify({ ...named, thread_id: thread, request_id: question }),
    inputResponses: { question: { action: "accept", content: { answer: "20" } } },
    _meta: meta,
  };
  const stateless = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "ask" };
  const completion = { model: "orrery", messages: [{ role: "user", content: "20" }] };
  const resume = (status: string) => [{ interruptId: question, status, payload: "20" }];
  const tell =
    (path: string, body: object | null, more: object = {}) =>
    () =>
      gets(token, path, body, ids, more);
  return {
    "AG-UI answers": tell("/agui", { ...run, runId: "r", resume: resume("resolved") }),
    "AG-UI withdraws": tell("/agui", { ...run, runId: "r", resume: resume("cancelled") }),
    "MCP goes on": tell("/mcp", call({ message: "20", ...named })),
    "MCP answers": tell("/mcp", call({ message: "20", ...named, request_id: question })),
    "MCP answers what it was asked": tell("/mcp", call({ message: "x" }, elicited), stateless),
    "OpenAI goes on": tell("/v1/chat/completions", completion, { "x-orrery-conversation": conversation }),
    "A2A answers": tell("/a2a", rpc("SendMessage", { message })),
    "A2A reads": tell("/a2a", rpc("GetTask", { id: task })),
    "A2A listens": tell("/a2a", rpc("SubscribeToTask", { id: task })),
    "A2A cancels": tell("/a2a", rpc("CancelTask", { id: task })),
    "A2A lists": tell("/a2a", rpc("ListTasks", { contextId: conversation })),
    "reads what is pending": tell(`/api/v1/conversations/${conversation}/context`, null),
    "reads the log": tell(`/api/v1/conversations/${conversation}/events`, null),
  };
}

async function pendingOf(ada: Person, id: string) {
  return ada.get<{ pending: { request_id: string; thread_id: string }[] }>(`/api/v1/conversations/${id}/context`);
}

test("[U1] no door tells Bob what Ada has, nor lets him answer for her", async () => {
  const mark = stage.model.act({ triage: handoff("needs_planning"), planner: [ask("A secret question?")] });
  const ada = personAt(stage.runtime.url, tokens.ada);
  const { conversationId: id } = await ada.say(`A secret ${mark}`);
  const question = ensurePresent((await pendingOf(ada, id)).pending[0], "her question");
  const hers = guesses(tokens.bob, id, question.thread_id, question.request_id);
  const nobodys = guesses(tokens.bob, `conv-${"0".repeat(32)}`, `th-${"0".repeat(32)}`, `req-${"0".repeat(32)}`);
  for (const [name, guess] of Object.entries(hers)) {
    const [told, never] = [await guess(), await nobodys[name]?.()];
    expect([name, told]).toEqual([name, never]);
    expect(told).not.toContain("secret");
  }
  expect(await pendingOf(ada, id)).toMatchObject({ pending: [question] });
  // All of them work for whom they are for.
  const own = guesses(tokens.ada, id, question.thread_id, question.request_id);
  for (const name of ["A2A reads", "A2A lists", "reads what is pending", "reads the log"]) {
    expect(await own[name]?.()).toContain("secret");
  }
  expect(await own["MCP answers what it was asked"]?.()).toMatch(/^200 .*"resultType":"(complete|input_required)"/);
  expect((await pendingOf(ada, id)).pending).not.toContainEqual(question);
});

test("[U1] a conversation that Bob begins under the id of one of Ada's is his own", async () => {
  const ada = personAt(stage.runtime.url, tokens.ada);
  const { conversationId: id } = await ada.say(`A secret ${stage.says("Hers.")}`);
  const before = await ada.history(id);
  const words = `What was said? ${stage.says("His.")}`;
  const run = { threadId: id, runId: crypto.randomUUID(), messages: user(words) };
  expect(await gets(tokens.bob, "/agui", run, [])).not.toContain("secret");
  const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", contextId: id, parts: [{ text: words }] };
  expect(await gets(tokens.bob, "/a2a", rpc("SendMessage", { message }), [])).not.toContain("secret");
  const asked = stage.model.calls.filter(({ request }) => JSON.stringify(request.messages).includes("What was said?"));
  expect(asked).toHaveLength(2);
  for (const { request } of asked) expect(JSON.stringify(request.messages)).not.toContain("secret");
  expect(await ada.history(id)).toEqual(before);
});
