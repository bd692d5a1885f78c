// Questions and cancellations during an MCP call, with raw requests and the official clients of two versions.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scriptPlannerQuestions, scriptAgentPlan } from "../../support/question-script.ts";
import { startAgUiSetup, type AgUiSetup } from "./agui-setup.ts";

let setup: AgUiSetup;
const openClients: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  setup = await startAgUiSetup();
});
afterAll(async () => {
  for (const client of openClients) await client.close();
  await setup.stop();
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

const url = () => new URL(`${setup.runtime.url}/mcp`);
const INFO = { name: "test", version: "1.0.0" };
const getText = ({ content }: Result): string => content.map(({ text }) => text).join("");
const GUESTBOOK = { agent: "guestbook", message: "Sign the guestbook with 'Draft'" };

/** Connects the official client of 2025, which validates results against the tool schemas. */
async function connectLegacyClient() {
  const client = new OldClient(INFO);
  await client.connect(new OldTransport(url()) as Parameters<typeof client.connect>[0]);
  openClients.push(client);
  await client.listTools();
  return async (name: string, args: object) =>
    (await client.callTool({ name, arguments: { ...args } }, CallToolResultSchema)) as unknown as Result;
}

/** Sends a raw call of protocol version 2026-07-28. */
async function callTool(name: string, args: object, more: object = {}, key?: string): Promise<Result> {
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

const createAnswerParams = (questionResult: Result, question: unknown) => ({
  requestState: questionResult.requestState,
  inputResponses: { question },
});
const createAcceptance = (answer: string) => ({ action: "accept", content: { answer } });

describe("MCP client without elicitation", () => {
  test("answers several questions by their ids", async () => {
    const ask = await connectLegacyClient();
    const questionResult = await ask("ask", { message: scriptAgentPlan(setup.model, "curious", "curious") });
    const { conversation_id, questions = [] } = questionResult.structuredContent;
    expect(questions).toHaveLength(2);
    for (const { request_id } of questions) expect(getText(questionResult)).toContain(request_id);
    const unnamed = await ask("ask", { message: "Rome", conversation_id });
    expect([unnamed.isError, getText(unnamed)]).toEqual([true, expect.stringContaining("request_id")]);
    const [first, second] = questions;
    const half = await ask("ask", { message: "Rome", conversation_id, request_id: first?.request_id });
    expect(half.structuredContent).toMatchObject({ status: "input_required", questions: [second] });
    const finalResult = await ask("ask", { message: "Oslo", conversation_id, request_id: second?.request_id });
    expect(finalResult.structuredContent).toMatchObject({ status: "completed", answer: "All." });
    const unnamedAnswer = await ask("ask", { message: "Rome", request_id: first?.request_id });
    expect(unnamedAnswer.isError).toBe(true);
  });

  test("[F13] gets the status cancelled when its thread is cancelled", async () => {
    const ask = await connectLegacyClient();
    const first = await ask("ask", { message: `Hello ${setup.model.addScript({ triage: { text: "Hello." } })}` });
    const { conversation_id } = first.structuredContent;
    const mark = setup.model.addScript({ triage: { text: "word ".repeat(400), paceMs: 20 } });
    const called = ask("ask", { message: `Talk ${mark}`, conversation_id });
    await expect.poll(() => setup.model.getCalls(mark).length).toBe(1);
    await setup.user.request("POST", `/api/v1/conversations/${conversation_id}/cancel`, {});
    const stopped = await called;
    expect(stopped.structuredContent.status).toBe("cancelled");
    expect(getText(stopped)).toContain("stopped before it finished");
  });
});

describe("MCP client with elicitation", () => {
  test("gets the question again after a missing or invalid answer", async () => {
    const { message } = scriptPlannerQuestions(setup.model, "How much?");
    const questionResult = await callTool("ask", { message });
    const empty = { requestState: questionResult.requestState };
    for (const more of [
      empty,
      createAnswerParams(questionResult, { action: "accept", content: { answer: 5 } }),
      createAnswerParams(questionResult, createAcceptance(" ")),
    ]) {
      const again = await callTool("ask", { message }, more);
      expect(again).toMatchObject({ resultType: "input_required", requestState: questionResult.requestState });
      expect(again.inputRequests.question.params.message).toContain("How much?");
    }
    expect(
      getText(await callTool("ask", { message }, createAnswerParams(questionResult, createAcceptance("20")))),
    ).toBe("It is paid.");
  });

  test("[T2] gets the result when it repeats its answer", async () => {
    const { message } = scriptPlannerQuestions(setup.model, "How much?");
    const questionResult = await callTool("ask", { message });
    await callTool("ask", { message }, createAnswerParams(questionResult, createAcceptance("20")));
    const again = await callTool("ask", { message }, createAnswerParams(questionResult, createAcceptance("20")));
    expect(again.structuredContent).toMatchObject({ status: "completed", answer: "It is paid." });
    expect(getText(again)).toMatch(/^The question is closed/);
  });

  test("gets an error for a fabricated requestState", async () => {
    const { message } = scriptPlannerQuestions(setup.model, "How much?");
    const state = JSON.parse((await callTool("ask", { message })).requestState) as Record<string, string>;
    for (const wrong of [{ thread_id: "th-never", request_id: "req-never" }, { conversation_id: "conv-never" }]) {
      const requestState = JSON.stringify({ ...state, ...wrong });
      const refused = await callTool(
        "ask",
        { message },
        createAnswerParams({ requestState } as Result, createAcceptance("20")),
      );
      expect([refused.isError, getText(refused)]).toEqual([true, expect.stringContaining("not found")]);
    }
  });

  test("[T2] answers with the idempotency key of the original call", async () => {
    const { message } = scriptPlannerQuestions(setup.model, "How much?");
    const key = crypto.randomUUID();
    const questionResult = await callTool("ask", { message }, {}, key);
    expect((await callTool("ask", { message }, {}, key)).requestState).toBe(questionResult.requestState);
    expect(
      getText(await callTool("ask", { message }, createAnswerParams(questionResult, createAcceptance("20")), key)),
    ).toBe("It is paid.");
  });

  test("approves or refuses with an option and refuses by declining", async () => {
    const questionResult = await callTool("run_agent", GUESTBOOK);
    const { message, requestedSchema } = questionResult.inputRequests.question.params;
    expect(requestedSchema).toMatchObject({ properties: { answer: { enum: ["approve", "refuse"] } } });
    expect(message.split("Draft")).toHaveLength(2);
    const unclear = await callTool(
      "run_agent",
      GUESTBOOK,
      createAnswerParams(questionResult, createAcceptance("maybe")),
    );
    expect(unclear.inputRequests.question.params.message).toMatch(
      /must be “approve” or “refuse”[^]*needs your approval/,
    );
    const refused = await callTool("run_agent", GUESTBOOK, createAnswerParams(questionResult, { action: "decline" }));
    expect(refused.structuredContent.status).toBe("completed");
    expect(getText(refused)).toContain("not carried out");
    const secondQuestion = await callTool("run_agent", GUESTBOOK);
    const cancelled = await callTool("run_agent", GUESTBOOK, createAnswerParams(secondQuestion, { action: "cancel" }));
    expect(cancelled.structuredContent).toMatchObject({ status: "input_required", questions: [{}] });
  });

  test("gets several questions one after the other", async () => {
    const client = new Client(INFO, {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: "auto" },
    });
    const prompts: string[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      prompts.push(params.message);
      return { action: "accept", content: { answer: prompts.length === 1 ? "Rome" : "Oslo" } };
    });
    await client.connect(new StreamableHTTPClientTransport(url()));
    openClients.push(client);
    const message = scriptAgentPlan(setup.model, "curious", "curious");
    const result = await client.callTool({ name: "ask", arguments: { message } });
    expect(prompts).toHaveLength(2);
    expect(result.structuredContent).toMatchObject({ status: "completed", answer: "All." });
  });
});
