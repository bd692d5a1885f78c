// The runtime as a server of MCP, with the official clients of today and of before.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signed } from "../../http/tokens.ts";
import { ask, askingWith } from "../../support/asking.ts";
import { handoff, planOf } from "../../support/model-reply.ts";
import { startStage, type Stage } from "./openai-stage.ts";

let stage: Stage;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  stage = await startStage();
});
afterAll(async () => {
  for (const client of open) await client.close();
  await stage.stop();
});

type Result = {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
};
type Line = { readonly message?: string | undefined; readonly progress: number };

/** What the tests need of a client, of whichever version. */
type Caller = {
  readonly version: () => string | undefined;
  readonly tools: () => Promise<{ name: string; annotations?: unknown }[]>;
  call(name: string, args: object, onprogress?: (line: Line) => void): Promise<Result>;
};

const url = () => new URL(`${stage.runtime.url}/mcp`);
const init = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });
const INFO = { name: "test", version: "1.0.0" };

/** 2026-07-28. With `answer`, it asks the person. */
async function current(token = stage.token, answer?: (words: string) => string | null): Promise<Caller> {
  const capabilities = answer === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client(INFO, { capabilities, versionNegotiation: { mode: "auto" } });
  if (answer !== undefined) {
    client.setRequestHandler("elicitation/create", ({ params }) => {
      const said = answer(params.message);
      return said === null ? { action: "decline" } : { action: "accept", content: { answer: said } };
    });
  }
  await client.connect(new StreamableHTTPClientTransport(url(), init(token)));
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

/** 2025-11-25. */
async function old(token = stage.token): Promise<Caller> {
  const client = new OldClient(INFO);
  const transport = new OldTransport(url(), init(token));
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

const textOf = ({ content }: Result): string => content.map(({ text }) => text ?? "").join("");

describe.each([
  ["today's client", "2026-07-28", () => current()],
  ["the older client", "2025-11-25", () => old()],
])("with %s", (_, version, connect) => {
  test("versions are agreed on, and tools say what they do", async () => {
    const caller = await connect();
    expect(caller.version()).toBe(version);
    const tools = await caller.tools();
    expect(tools.map(({ name }) => name)).toEqual(["ask", "run_agent", "list_agents", "schedules"]);
    expect(tools[2]?.annotations).toMatchObject({ readOnlyHint: true });
  });

  test("ask answers, in one conversation and the next", async () => {
    const caller = await connect();
    const first = await caller.call("ask", { message: `Hello ${stage.says("Hello there.")}` });
    expect(textOf(first)).toBe("Hello there.");
    expect(first.structuredContent).toMatchObject({ status: "completed", answer: "Hello there." });
    const conversation_id = first.structuredContent?.["conversation_id"];
    const mark = stage.says("You said hello.");
    const second = await caller.call("ask", { message: `What? ${mark}`, conversation_id });
    expect(second.structuredContent).toMatchObject({ conversation_id });
    expect(stage.toldTo(mark, "triage")?.join()).toContain("Hello there.");
  });

  test("who asks for progress hears how the work stands", async () => {
    const caller = await connect();
    const lines: Line[] = [];
    const message = `Please ${stage.planned("One.", "Two.")}`;
    const result = await caller.call("ask", { message }, (line) => lines.push(line));
    expect(textOf(result)).toBe("All of it is done.");
    expect(lines.map((line) => line.message)).toEqual(
      expect.arrayContaining(["▸ Part 0 (assistant)", "✓ Part 0", "✓ Part 1"]),
    );
    expect(lines.map(({ progress }) => progress)).toEqual(lines.map((_line, i) => i + 1));
  });

  test("a question is a result that says how to answer it", async () => {
    const caller = await connect();
    const asked = await caller.call("ask", { message: askingWith(stage.model, "How much?").message });
    expect(asked.structuredContent).toMatchObject({
      status: "input_required",
      questions: [{ prompt: "How much?", options: ["10", "20"] }],
    });
    const conversation_id = String(asked.structuredContent?.["conversation_id"]);
    expect(textOf(asked)).toContain(`call ask with conversation_id ${conversation_id}`);
    const answered = await caller.call("ask", { message: "20", conversation_id });
    expect(textOf(answered)).toBe("It is paid.");
  });

  test("agents are listed, and run alone", async () => {
    const caller = await connect();
    const listed = await caller.call("list_agents", {});
    expect(listed.structuredContent).toMatchObject({
      agents: [{ name: "assistant" }, { name: "toolsmith" }, { name: "analyst" }],
    });
    const mark = stage.model.act({ "agent:assistant": { text: "It was me." } });
    const ran = await caller.call("run_agent", { agent: "assistant", message: `Who? ${mark}` });
    expect(textOf(ran)).toBe("It was me.");
    expect(stage.model.callsOf(mark, "triage")).toEqual([]);
  });

  test("schedules are listed, paused, resumed, run and deleted", async () => {
    const caller = await connect();
    const mark = stage.model.act({ "agent:assistant": { text: "Good morning." } });
    const task = { title: "Greet", query: `Greet ${mark}`, agent_name: "assistant", depends_on: [] };
    const recurring = { ...task, id: "t", pattern: "recurring", schedule_config: { interval_minutes: 60 } };
    const plan = { calls: [{ name: "create_plan", arguments: { tasks: [recurring], adequate: true, reason: "" } }] };
    const asked = stage.model.act({ triage: handoff("needs_planning"), planner: plan });
    const set = await caller.call("ask", { message: `Greet me every hour ${asked}` });
    expect(textOf(set)).toContain("Shall I set it up?");
    const conversation_id = set.structuredContent?.["conversation_id"];
    expect(textOf(await caller.call("ask", { message: "yes", conversation_id }))).toMatch(/^Scheduled: /);
    const listed = await caller.call("schedules", { action: "list" });
    const { schedules } = listed.structuredContent as { schedules: { schedule_id: string; title: string }[] };
    const [schedule] = schedules;
    expect(schedule?.title).toBe("Greet");
    const id = schedule?.schedule_id;
    expect(textOf(await caller.call("schedules", { action: "pause", id }))).toContain("paused");
    expect(textOf(await caller.call("schedules", { action: "resume", id }))).toContain("active");
    expect((await caller.call("schedules", { action: "run", id })).isError).toBeUndefined();
    expect(textOf(await caller.call("schedules", { action: "delete", id }))).toContain("deleted");
    // The list is the directory's, which is told a moment later.
    const listing = async () => textOf(await caller.call("schedules", { action: "list" }));
    await expect.poll(listing, { timeout: 10_000 }).toBe("There are no schedules.");
  });

  test("what goes wrong is told in words", async () => {
    const caller = await connect();
    const wrong = async (name: string, args: object): Promise<string> => {
      const result = await caller.call(name, args);
      expect(result.isError).toBe(true);
      return textOf(result);
    };
    expect(await wrong("run_agent", { agent: "nobody", message: "x" })).toContain('no agent "nobody"');
    expect(await wrong("ask", { message: " " })).toContain("message: must not be empty");
    expect(await wrong("ask", { message: "x", conversation_id: "conv-never" })).toContain("no such conversation");
    expect(await wrong("ask", { message: "x", conversation_id: "../x" })).toContain("conversation_id");
    expect(await wrong("schedules", { action: "pause" })).toContain("id");
    expect(await wrong("schedules", { action: "delete", id: "task-never" })).toContain("no such schedule");
    const mark = stage.model.act({ triage: { trouble: { kind: "status", status: 400 } } });
    const failed = await caller.call("ask", { message: `Hello ${mark}` });
    expect(failed).toMatchObject({
      isError: true,
      structuredContent: { status: "failed", answer: "", error: { code: "model_refused" } },
    });
    const unsummed = await caller.call("ask", { message: `Please ${stage.unsummed("First.", "Second.")}` });
    const answer = "**Part 0**\n\nFirst.\n\n**Part 1**\n\nSecond.";
    const error = { code: "model_refused" };
    expect(unsummed).toMatchObject({ isError: true, structuredContent: { status: "failed", answer, error } });
    expect(textOf(unsummed).startsWith(`${answer}\n\nThe model`)).toBe(true);
    await expect(caller.call("fly", {})).rejects.toThrow("There is no tool");
  });

  test("[U1] conversations and schedules of others are not there", async () => {
    const mine = await (await connect()).call("ask", { message: `Hello ${stage.says("Hello.")}` });
    const conversation_id = mine.structuredContent?.["conversation_id"];
    const bob =
      version === "2025-11-25" ? await old(await signed({ sub: "bob" })) : await current(await signed({ sub: "bob" }));
    const [foreign, never] = [
      await bob.call("ask", { message: "x", conversation_id }),
      await bob.call("ask", { message: "x", conversation_id: "conv-never" }),
    ];
    expect(foreign.isError).toBe(true);
    expect(foreign).toEqual(never);
  });
});

describe("elicitation", () => {
  const paying = (): string => {
    const parts = planOf({ query: `Pay ${stage.model.act({ "agent:assistant": { text: "Paid." } })}` });
    const planner = [ask("How much?", ["10", "20"]), ask("To whom?"), parts];
    return `Pay ${stage.model.act({ triage: handoff("needs_planning"), planner })}`;
  };

  test("a client that can ask the person does, in the middle of the call", async () => {
    const heard: string[] = [];
    const caller = await current(stage.token, (words) => {
      heard.push(words);
      return words.includes("How much") ? "20" : "Grace";
    });
    const result = await caller.call("ask", { message: paying() });
    expect(heard).toEqual(["How much?\n\n- 10\n- 20", "To whom?"]);
    expect(textOf(result)).toBe("Paid.");
    expect(result.structuredContent).toMatchObject({ status: "completed" });
  });

  test("who does not answer leaves the question open", async () => {
    const caller = await current(stage.token, () => null);
    const result = await caller.call("ask", { message: paying() });
    expect(result.structuredContent).toMatchObject({ status: "input_required", questions: [{ prompt: "How much?" }] });
  });

  test("[U1] where a call stopped helps nobody else", async () => {
    const state = { conversation_id: "conv-never", thread_id: "th-1", request_id: "req-1" };
    const bob = await signed({ sub: "bob" });
    const call = async (requestState: string) => {
      const _meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      };
      const inputResponses = { question: { action: "accept", content: { answer: "x" } } };
      const response = await fetch(url(), {
        method: "POST",
        headers: {
          authorization: `Bearer ${bob}`,
          "content-type": "application/json",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "tools/call",
          "mcp-name": "ask",
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "ask", arguments: { message: "x" }, requestState, inputResponses, _meta },
        }),
      });
      return ((await response.json()) as { result: Result }).result;
    };
    const asked = await (await current()).call("ask", { message: paying() });
    const { conversation_id, thread_id, questions } = asked.structuredContent as Record<string, string>;
    const [question] = questions as unknown as { request_id: string }[];
    const foreign = await call(JSON.stringify({ conversation_id, thread_id, request_id: question?.request_id }));
    expect(foreign.isError).toBe(true);
    expect(foreign).toEqual(await call(JSON.stringify(state)));
    expect(textOf(await call('{"__proto__":1}'))).toContain("requestState");
  });
});

describe("clients that go", () => {
  test("[F13] the work goes on, over the death of the host", async () => {
    const begun = await (await old()).call("ask", { message: `Hello ${stage.says("Hello.")}` });
    const id = String(begun.structuredContent?.["conversation_id"]);
    const mark = stage.model.act({ triage: { text: "one two three four five", paceMs: 200 } });
    const transport = new OldTransport(url(), init(stage.token));
    const client = new OldClient(INFO);
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    const leave = new AbortController();
    const called = client.callTool(
      { name: "ask", arguments: { message: `Count ${mark}`, conversation_id: id } },
      CallToolResultSchema,
      {
        signal: leave.signal,
      },
    );
    await expect.poll(() => stage.model.callsOf(mark).length).toBe(1);
    leave.abort();
    await expect(called).rejects.toThrow(/abort/i);
    await stage.runtime.kill();
    await stage.runtime.restart();
    const caller = await old();
    await expect
      .poll(async () => (await stage.ada.get<{ status: string }>(`/api/v1/conversations/${id}`)).status, {
        timeout: 10_000,
      })
      .toBe("completed");
    const after = stage.says("Five.");
    await caller.call("ask", { message: `How far? ${after}`, conversation_id: id });
    expect(stage.toldTo(after, "triage")?.join()).toContain("one two three four five");
  });
});
