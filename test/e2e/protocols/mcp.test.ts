// The runtime as an MCP server, with the current and the previous official client.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createQuestionReply, scriptPlannerQuestions } from "../../support/question-script.ts";
import { createHandoffReply, createPlanReply } from "../../support/model-reply.ts";
import { startOpenAISetup, type OpenAISetup } from "./openai-setup.ts";

let setup: OpenAISetup;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  setup = await startOpenAISetup();
});
afterAll(async () => {
  for (const client of open) await client.close();
});

type Result = {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
};
type ProgressLine = { readonly message?: string | undefined; readonly progress: number };

/** The common interface of both clients. */
type TestClient = {
  readonly version: () => string | undefined;
  readonly tools: () => Promise<{ name: string; annotations?: unknown }[]>;
  call(name: string, args: object, onprogress?: (line: ProgressLine) => void): Promise<Result>;
};

const url = () => new URL(`${setup.runtime.url}/mcp`);
const createTransportOptions = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });
const INFO = { name: "test", version: "1.0.0" };

/** Connects a client of version 2026-07-28. With `answer`, it supports elicitation. */
async function connectCurrentClient(
  token = setup.token,
  answer?: (prompt: string) => string | null,
): Promise<TestClient> {
  const capabilities = answer === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client(INFO, { capabilities, versionNegotiation: { mode: "auto" } });
  if (answer !== undefined) {
    client.setRequestHandler("elicitation/create", ({ params }) => {
      const personAnswer = answer(params.message);
      return personAnswer === null ? { action: "decline" } : { action: "accept", content: { answer: personAnswer } };
    });
  }
  await client.connect(new StreamableHTTPClientTransport(url(), createTransportOptions(token)));
  open.push(client);
  return {
    version: () => client.getNegotiatedProtocolVersion(),
    tools: async () => (await client.listTools()).tools,
    call: async (name, args, onprogress) =>
      (await client.callTool(
        { name, arguments: args as Record<string, unknown> },
        onprogress === undefined ? {} : { onprogress },
      )) as Result,
  };
}

/** Connects a client of version 2025-11-25. */
async function connectLegacyClient(token = setup.token): Promise<TestClient> {
  const client = new OldClient(INFO);
  const transport = new OldTransport(url(), createTransportOptions(token));
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  open.push(client);
  return {
    version: () => transport.protocolVersion,
    tools: async () => (await client.listTools()).tools,
    call: async (name, args, onprogress) =>
      (await client.callTool(
        { name, arguments: args as Record<string, unknown> },
        CallToolResultSchema,
        onprogress === undefined ? {} : { onprogress },
      )) as Result,
  };
}

const getText = ({ content }: Result): string => content.map(({ text }) => text ?? "").join("");

describe.each([
  ["the current client", "2026-07-28", () => connectCurrentClient()],
  ["the previous client", "2025-11-25", () => connectLegacyClient()],
])("MCP server with %s", (_, version, connect) => {
  test("negotiates the version and lists its tools", async () => {
    const mcpClient = await connect();
    expect(mcpClient.version()).toBe(version);
    const tools = await mcpClient.tools();
    expect(tools.map(({ name }) => name)).toEqual(["ask", "run_agent", "list_agents", "schedules"]);
    expect(tools[2]?.annotations).toMatchObject({ readOnlyHint: true });
  });

  test("answers with ask and continues its conversation", async () => {
    const mcpClient = await connect();
    const first = await mcpClient.call("ask", { message: `Hello ${setup.scriptAnswer("Hello there.")}` });
    expect(getText(first)).toBe("Hello there.");
    expect(first.structuredContent).toMatchObject({ status: "completed", answer: "Hello there." });
    const conversation_id = first.structuredContent?.["conversation_id"];
    const mark = setup.scriptAnswer("You said hello.");
    const second = await mcpClient.call("ask", { message: `What? ${mark}`, conversation_id });
    expect(second.structuredContent).toMatchObject({ conversation_id });
    expect(setup.listPromptMessages(mark, "triage")?.join()).toContain("Hello there.");
  });

  test("reports progress on request", async () => {
    const mcpClient = await connect();
    const lines: ProgressLine[] = [];
    const message = `Please ${setup.scriptPlan("One.", "Two.")}`;
    const result = await mcpClient.call("ask", { message }, (line) => lines.push(line));
    expect(getText(result)).toBe("All of it is done.");
    expect(lines.map((line) => line.message)).toEqual(
      expect.arrayContaining(["▸ Part 0 (assistant)", "✓ Part 0", "✓ Part 1"]),
    );
    expect(lines.map(({ progress }) => progress)).toEqual(lines.map((_line, i) => i + 1));
  });

  test("returns a question as a result with instructions for the answer", async () => {
    const mcpClient = await connect();
    const questionResult = await mcpClient.call("ask", {
      message: scriptPlannerQuestions(setup.model, "How much?").message,
    });
    expect(questionResult.structuredContent).toMatchObject({
      status: "input_required",
      questions: [{ prompt: "How much?", options: ["10", "20"] }],
    });
    const conversation_id = String(questionResult.structuredContent?.["conversation_id"]);
    expect(getText(questionResult)).toContain(`call ask with conversation_id ${conversation_id}`);
    const answered = await mcpClient.call("ask", { message: "20", conversation_id });
    expect(getText(answered)).toBe("It is paid.");
  });

  test("lists agents and runs one without triage", async () => {
    const mcpClient = await connect();
    const listed = await mcpClient.call("list_agents", {});
    expect(listed.structuredContent).toMatchObject({
      agents: [{ name: "assistant" }, { name: "toolsmith" }, { name: "analyst" }],
    });
    const mark = setup.model.addScript({ "agent:assistant": { text: "It was me." } });
    const ran = await mcpClient.call("run_agent", { agent: "assistant", message: `Who? ${mark}` });
    expect(getText(ran)).toBe("It was me.");
    expect(setup.model.getCalls(mark, "triage")).toEqual([]);
  });

  test("lists, pauses, resumes, runs and deletes schedules", async () => {
    const mcpClient = await connect();
    const mark = setup.model.addScript({ "agent:assistant": { text: "Good morning." } });
    const task = { title: "Greet", query: `Greet ${mark}`, agent_name: "assistant", depends_on: [] };
    const recurring = { ...task, id: "t", pattern: "recurring", schedule_config: { interval_minutes: 60 } };
    const plan = { calls: [{ name: "create_plan", arguments: { tasks: [recurring], adequate: true, reason: "" } }] };
    const questionMark = setup.model.addScript({ triage: createHandoffReply("needs_planning"), planner: plan });
    const scheduled = await mcpClient.call("ask", { message: `Greet me every hour ${questionMark}` });
    expect(getText(scheduled)).toContain("Shall I set it up?");
    const conversation_id = scheduled.structuredContent?.["conversation_id"];
    expect(getText(await mcpClient.call("ask", { message: "yes", conversation_id }))).toMatch(/^Scheduled: /);
    const listed = await mcpClient.call("schedules", { action: "list" });
    const { schedules } = listed.structuredContent as { schedules: { schedule_id: string; title: string }[] };
    const [schedule] = schedules;
    expect(schedule?.title).toBe("Greet");
    const id = schedule?.schedule_id;
    expect(getText(await mcpClient.call("schedules", { action: "pause", id }))).toContain("paused");
    expect(getText(await mcpClient.call("schedules", { action: "resume", id }))).toContain("active");
    expect((await mcpClient.call("schedules", { action: "run", id })).isError).toBeUndefined();
    expect(getText(await mcpClient.call("schedules", { action: "delete", id }))).toContain("deleted");
    // The list comes from the directory, which is updated with a delay.
    const listing = async () => getText(await mcpClient.call("schedules", { action: "list" }));
    await expect.poll(listing, { timeout: 10_000 }).toBe("No schedules.");
  });

  test("returns errors as text", async () => {
    const mcpClient = await connect();
    const callWithError = async (name: string, args: object): Promise<string> => {
      const result = await mcpClient.call(name, args);
      expect(result.isError).toBe(true);
      return getText(result);
    };
    expect(await callWithError("run_agent", { agent: "nobody", message: "x" })).toContain("Agent “nobody” not found");
    expect(await callWithError("ask", { message: " " })).toContain("message: must not be empty");
    expect(await callWithError("ask", { message: "x", conversation_id: "conv-never" })).toContain(
      "Conversation not found",
    );
    expect(await callWithError("ask", { message: "x", conversation_id: "../x" })).toContain("conversation_id");
    expect(await callWithError("schedules", { action: "pause" })).toContain("id");
    expect(await callWithError("schedules", { action: "delete", id: "task-never" })).toContain("Schedule not found");
    const mark = setup.model.addScript({ triage: { fault: { kind: "status", status: 400 } } });
    const failed = await mcpClient.call("ask", { message: `Hello ${mark}` });
    expect(failed).toMatchObject({
      isError: true,
      structuredContent: { status: "failed", answer: "", error: { code: "model_refused" } },
    });
    const unsummed = await mcpClient.call("ask", {
      message: `Please ${setup.scriptPlanWithoutSummary("First.", "Second.")}`,
    });
    expect(unsummed).toMatchObject({ structuredContent: { status: "completed" } });
    expect(getText(unsummed)).toMatch(
      /The model endpoint rejected[^]*\*\*Part 0\*\*\n\nFirst\.\n\n\*\*Part 1\*\*\n\nSecond\.$/,
    );
    await expect(mcpClient.call("fly", {})).rejects.toThrow("Unknown tool");
  });
});

describe("MCP elicitation", () => {
  const createPayMessage = (): string => {
    const parts = createPlanReply({ query: `Pay ${setup.model.addScript({ "agent:assistant": { text: "Paid." } })}` });
    const planner = [createQuestionReply("How much?", ["10", "20"]), createQuestionReply("To whom?"), parts];
    return `Pay ${setup.model.addScript({ triage: createHandoffReply("needs_planning"), planner })}`;
  };

  test("asks the user during the call", async () => {
    const prompts: string[] = [];
    const mcpClient = await connectCurrentClient(setup.token, (prompt) => {
      prompts.push(prompt);
      return prompt.includes("How much") ? "20" : "Grace";
    });
    const result = await mcpClient.call("ask", { message: createPayMessage() });
    expect(prompts).toEqual(["How much?\n\n- 10\n- 20", "To whom?"]);
    expect(getText(result)).toBe("Paid.");
    expect(result.structuredContent).toMatchObject({ status: "completed" });
  });

  test("leaves a declined question open", async () => {
    const mcpClient = await connectCurrentClient(setup.token, () => null);
    const result = await mcpClient.call("ask", { message: createPayMessage() });
    expect(result.structuredContent).toMatchObject({ status: "input_required", questions: [{ prompt: "How much?" }] });
  });
});

describe("MCP client that disconnects", () => {
  test("[F13] does not stop its thread, which also survives a host crash", async () => {
    const firstResult = await (
      await connectLegacyClient()
    ).call("ask", { message: `Hello ${setup.scriptAnswer("Hello.")}` });
    const id = String(firstResult.structuredContent?.["conversation_id"]);
    const mark = setup.model.addScript({ triage: { text: "one two three four five", paceMs: 200 } });
    const transport = new OldTransport(url(), createTransportOptions(setup.token));
    const client = new OldClient(INFO);
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    const called = client.callTool({ name: "ask", arguments: { message: `Count ${mark}`, conversation_id: id } });
    const failed = called.catch((thrown: unknown) => String(thrown));
    await expect.poll(() => setup.model.getCalls(mark).length).toBe(1);
    await client.close();
    expect(await failed).toMatch(/closed/i);
    await setup.runtime.kill();
    await setup.runtime.restart();
    const mcpClient = await connectLegacyClient();
    await expect
      .poll(async () => (await setup.ada.get<{ status: string }>(`/api/v1/conversations/${id}`)).status, {
        timeout: 10_000,
      })
      .toBe("completed");
    const after = setup.scriptAnswer("Five.");
    await mcpClient.call("ask", { message: `How far? ${after}`, conversation_id: id });
    expect(setup.listPromptMessages(after, "triage")?.join()).toContain("one two three four five");
  });
});
