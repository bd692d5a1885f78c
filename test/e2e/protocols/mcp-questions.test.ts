// Questions and stops in the middle of a call of MCP, by hand and with the official clients of two generations.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askingWith, plannedWith } from "../../support/asking.ts";
import { startStage, type Stage } from "./agui-stage.ts";

let stage: Stage;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  stage = await startStage();
});
afterAll(async () => {
  for (const client of open) await client.close();
  await stage.stop();
});

type Question = { readonly request_id: string; readonly prompt: string };
type Result = {
  readonly resultType?: string;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent: {
    readonly conversation_id: string;
    readonly status: string;
    readonly answer: string;
    readonly questions?: readonly Question[];
  };
  readonly isError?: boolean;
  readonly requestState: string;
  readonly inputRequests: { readonly question: { readonly params: { message: string; requestedSchema: unknown } } };
};

const url = () => new URL(`${stage.runtime.url}/mcp`);
const INFO = { name: "test", version: "1.0.0" };
const textOf = ({ content }: Result): string => content.map(({ text }) => text).join("");
const GUESTBOOK = { agent: "guestbook", message: "Sign the guestbook with 'Draft'" };

/** The official client of 2025, which checks results against the schemas of the tools. */
async function old() {
  const client = new OldClient(INFO);
  await client.connect(new OldTransport(url()) as Parameters<typeof client.connect>[0]);
  open.push(client);
  await client.listTools();
  return async (name: string, args: object) =>
    (await client.callTool({ name, arguments: { ...args } }, CallToolResultSchema)) as unknown as Result;
}

/** A call of 2026-07-28 as it goes over the line. */
async function call(name: string, args: object, more: object = {}, key?: string): Promise<Result> {
  const _meta = {
    ...(key === undefined ? {} : { "orrery/idempotency-key": key }),
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
  };
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name };
  const response = await fetch(url(), {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: args, ...more, _meta },
    }),
  });
  return ((await response.json()) as { result: Result }).result;
}

const answering = (asked: Result, question: unknown) => ({
  requestState: asked.requestState,
  inputResponses: { question },
});
const saying = (answer: string) => ({ action: "accept", content: { answer } });

describe("a client that cannot ask its person", () => {
  test("answers each of several questions by its id", async () => {
    const ask = await old();
    const asked = await ask("ask", { message: plannedWith(stage.model, "curious", "curious") });
    const { conversation_id, questions = [] } = asked.structuredContent;
    expect(questions).toHaveLength(2);
    for (const { request_id } of questions) expect(textOf(asked)).toContain(request_id);
    const unnamed = await ask("ask", { message: "Rome", conversation_id });
    expect([unnamed.isError, textOf(unnamed)]).toEqual([true, expect.stringContaining("request_id")]);
    const [first, second] = questions;
    const half = await ask("ask", { message: "Rome", conversation_id, request_id: first?.request_id });
    expect(half.structuredContent).toMatchObject({ status: "input_required", questions: [second] });
    const whole = await ask("ask", { message: "Oslo", conversation_id, request_id: second?.request_id });
    expect(whole.structuredContent).toMatchObject({ status: "completed", answer: "All." });
    const misplaced = await ask("ask", { message: "Rome", request_id: first?.request_id });
    expect(misplaced.isError).toBe(true);
  });

  test("[F13] hears that its work was stopped, and not that it was done", async () => {
    const ask = await old();
    const first = await ask("ask", { message: `Hello ${stage.model.act({ triage: { text: "Hello." } })}` });
    const { conversation_id } = first.structuredContent;
    const mark = stage.model.act({ triage: { text: "word ".repeat(400), paceMs: 20 } });
    const called = ask("ask", { message: `Talk ${mark}`, conversation_id });
    await expect.poll(() => stage.model.callsOf(mark).length).toBe(1);
    await stage.person.request("POST", `/api/v1/conversations/${conversation_id}/cancel`, {});
    const stopped = await called;
    expect(stopped.structuredContent.status).toBe("cancelled");
    expect(textOf(stopped)).toContain("stopped before it was done");
  });
});

describe("a client that asks its person in the middle of a call", () => {
  test("is asked again for what it did not bring", async () => {
    const { message } = askingWith(stage.model, "How much?");
    const asked = await call("ask", { message });
    const empty = { requestState: asked.requestState };
    for (const more of [
      empty,
      answering(asked, { action: "accept", content: { answer: 5 } }),
      answering(asked, saying(" ")),
    ]) {
      const again = await call("ask", { message }, more);
      expect(again).toMatchObject({ resultType: "input_required", requestState: asked.requestState });
      expect(again.inputRequests.question.params.message).toContain("How much?");
    }
    expect(textOf(await call("ask", { message }, answering(asked, saying("20"))))).toBe("It is paid.");
  });

  test("[T2] hears what came of its answer when the line broke and it answers again", async () => {
    const { message } = askingWith(stage.model, "How much?");
    const asked = await call("ask", { message });
    await call("ask", { message }, answering(asked, saying("20")));
    const again = await call("ask", { message }, answering(asked, saying("20")));
    expect(again.structuredContent).toMatchObject({ status: "completed", answer: "It is paid." });
    expect(textOf(again)).toMatch(/^The question is not open any more/);
  });

  test("is refused at once when it makes up where it had stopped", async () => {
    const { message } = askingWith(stage.model, "How much?");
    const state = JSON.parse((await call("ask", { message })).requestState) as Record<string, string>;
    for (const wrong of [{ thread_id: "th-never", request_id: "req-never" }, { conversation_id: "conv-never" }]) {
      const requestState = JSON.stringify({ ...state, ...wrong });
      const refused = await call("ask", { message }, answering({ requestState } as Result, saying("20")));
      expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining("There is no such")]);
    }
  });

  test("[T2] answers with the key of the call that asked, as clients that repeat a call do", async () => {
    const { message } = askingWith(stage.model, "How much?");
    const key = crypto.randomUUID();
    const asked = await call("ask", { message }, {}, key);
    expect((await call("ask", { message }, {}, key)).requestState).toBe(asked.requestState);
    expect(textOf(await call("ask", { message }, answering(asked, saying("20")), key))).toBe("It is paid.");
  });

  test("gives leave or refuses it by a choice, and refuses by declining", async () => {
    const asked = await call("run_agent", GUESTBOOK);
    const { message, requestedSchema } = asked.inputRequests.question.params;
    expect(requestedSchema).toMatchObject({ properties: { answer: { enum: ["approve", "refuse"] } } });
    expect(message.split("Draft")).toHaveLength(2);
    const unclear = await call("run_agent", GUESTBOOK, answering(asked, saying("maybe")));
    expect(unclear.inputRequests.question.params.message).toMatch(
      /answer “approve” or “refuse”[^]*needs your approval/,
    );
    const refused = await call("run_agent", GUESTBOOK, answering(asked, { action: "decline" }));
    expect(refused.structuredContent.status).toBe("completed");
    expect(textOf(refused)).toContain("not carried out");
    const put = await call("run_agent", GUESTBOOK);
    const left = await call("run_agent", GUESTBOOK, answering(put, { action: "cancel" }));
    expect(left.structuredContent).toMatchObject({ status: "input_required", questions: [{}] });
  });

  test("asks for one of several questions after the other", async () => {
    const client = new Client(INFO, {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: "auto" },
    });
    const heard: string[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      heard.push(params.message);
      return { action: "accept", content: { answer: heard.length === 1 ? "Rome" : "Oslo" } };
    });
    await client.connect(new StreamableHTTPClientTransport(url()));
    open.push(client);
    const message = plannedWith(stage.model, "curious", "curious");
    const result = await client.callTool({ name: "ask", arguments: { message } });
    expect(heard).toHaveLength(2);
    expect(result.structuredContent).toMatchObject({ status: "completed", answer: "All." });
  });
});
