import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerRequest, fetchEmbedded } from "../../src/embedded/embedded-fetch.ts";
import { getCpuMs } from "../support/cpu-time.ts";
import { client, stringWith, stringLike, anyOf, createToolSpec } from "./embedded-client.ts";

const COMPLETIONS_URL = "http://embedded/v1/chat/completions";
const postBody = (body: string, init: RequestInit = {}) =>
  fetchEmbedded(COMPLETIONS_URL, { method: "POST", body, ...init });
const HELLO_REQUEST = { model: "m", messages: [{ role: "user", content: "hello" }] };

async function readFrames(response: Response): Promise<unknown[]> {
  const text = await response.text();
  const lines = text.split("\n\n").filter((line) => line !== "");
  expect(lines.every((line) => line.startsWith("data: "))).toBe(true);
  expect(lines.at(-1)).toBe("data: [DONE]");
  return lines.slice(0, -1).map((line) => JSON.parse(line.slice(6)) as unknown);
}

describe("the HTTP interface of the embedded model", () => {
  test("returns an unstreamed completion", async () => {
    const completion = await client.chat.completions.create({
      model: "m",
      messages: [{ role: "user", content: "hello" }],
    });
    expect(completion).toMatchObject({
      object: "chat.completion",
      model: "orrery-embedded",
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: stringLike(/^Hello/) } }],
    });
    const usage = completion.usage;
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0));
    expect(usage?.completion_tokens).toBe(Math.ceil((completion.choices[0]?.message.content ?? "").length / 4));
  });

  test("streams a completion: role, several deltas, finish reason, requested usage, [DONE]", async () => {
    const body = { ...HELLO_REQUEST, stream: true, stream_options: { include_usage: true } };
    const chunks = await readFrames(await postBody(JSON.stringify(body)));
    expect(chunks[0]).toMatchObject({ choices: [{ delta: { role: "assistant" }, finish_reason: null }], usage: null });
    expect(chunks.length).toBeGreaterThan(5);
    expect(chunks.at(-2)).toMatchObject({ choices: [{ delta: {}, finish_reason: "stop" }] });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: anyOf(Number) } });
    const withoutUsage = await readFrames(await postBody(JSON.stringify({ ...HELLO_REQUEST, stream: true })));
    expect(withoutUsage.at(-1)).toMatchObject({ choices: [{ finish_reason: "stop" }] });
  });

  test("sends a tool call complete or in parts", async () => {
    const time = createToolSpec("current_time", "The current time.", { timezone: { type: "string" } }, []);
    const body = { model: "m", messages: [{ role: "user", content: "what time is it in Tokyo?" }], tools: [time] };
    const completion = (await (await postBody(JSON.stringify(body))).json()) as { choices: unknown[] };
    const call = { type: "function", function: { name: "current_time", arguments: '{"timezone":"Asia/Tokyo"}' } };
    expect(completion.choices).toMatchObject([
      { finish_reason: "tool_calls", message: { content: null, tool_calls: [call] } },
    ]);
    const chunks = await readFrames(await postBody(JSON.stringify({ ...body, stream: true })));
    expect(chunks[1]).toMatchObject({
      choices: [
        {
          delta: {
            tool_calls: [{ index: 0, id: stringLike(/^call_/), function: { name: "current_time", arguments: "" } }],
          },
        },
      ],
    });
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: "tool_calls" }] });
  });

  test("returns the same answer for the same request", async () => {
    const [first, second] = await Promise.all(
      [postBody(JSON.stringify(HELLO_REQUEST)), postBody(JSON.stringify(HELLO_REQUEST))].map(
        async (r) => (await (await r).json()) as object,
      ),
    );
    expect({ ...first, created: 0 }).toEqual({ ...second, created: 0 });
  });

  test("follows tool_choice none and a named tool", async () => {
    const tools = [createToolSpec("roll", "Rolls a die at random."), createToolSpec("now", "The current time.")];
    const messages = [{ role: "user", content: "roll a die" }];
    const withoutTools = await postBody(JSON.stringify({ model: "m", messages, tools, tool_choice: "none" }));
    expect(await withoutTools.json()).toMatchObject({ choices: [{ finish_reason: "stop" }] });
    const withNamedTool = await postBody(
      JSON.stringify({ model: "m", messages, tools, tool_choice: { type: "function", function: { name: "roll" } } }),
    );
    expect(await withNamedTool.json()).toMatchObject({
      choices: [{ message: { tool_calls: [{ function: { name: "roll" } }] } }],
    });
  });

  test("refers to a real model when a request has no role", async () => {
    const response = await postBody(
      JSON.stringify({ model: "m", messages: [{ role: "user", content: "Who was Newton?" }] }),
    );
    expect(await response.json()).toMatchObject({
      choices: [{ message: { content: stringWith("OPENAI_API_KEY") } }],
    });
  });

  test("lists its model", async () => {
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(["orrery-embedded"]);
  });

  test("accepts a Request as well as a URL", async () => {
    const response = await fetchEmbedded(
      new Request(COMPLETIONS_URL, { method: "POST", body: JSON.stringify(HELLO_REQUEST) }),
    );
    expect(response.status).toBe(200);
  });
});

describe("an invalid request to the embedded model", () => {
  test.each([
    ["not json", "{", null],
    ["no messages", '{"model":"m"}', "messages"],
    ["an empty list", '{"model":"m","messages":[]}', "messages"],
    ["a strange role", '{"model":"m","messages":[{"role":"alien","content":"x"}]}', "messages.0.role"],
    [
      "a tool without a name",
      '{"model":"m","messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{}}]}',
      "tools.0.function.name",
    ],
    ["an empty body", "", null],
    ["null", "null", null],
  ])("returns 400 in OpenAI's format for %s", async (_, body, param) => {
    const response = await postBody(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: { message: anyOf(String), type: "invalid_request_error", param, code: null },
    });
  });

  test("returns an error in the same format for other paths and methods", async () => {
    expect((await fetchEmbedded("http://embedded/v1/embeddings", { method: "POST", body: "{}" })).status).toBe(404);
    expect((await fetchEmbedded(COMPLETIONS_URL)).status).toBe(405);
    expect((await fetchEmbedded("no address")).status).toBe(400);
  });

  test("rejects with the reason of its aborted signal", async () => {
    const reason = new Error("enough");
    await expect(postBody(JSON.stringify(HELLO_REQUEST), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test("ends its stream when it is aborted", async () => {
    const controller = new AbortController();
    const response = await postBody(JSON.stringify({ ...HELLO_REQUEST, stream: true }), { signal: controller.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    controller.abort(new Error("enough"));
    const drain = async () => {
      while ((await reader?.read())?.done === false);
    };
    await expect(drain()).rejects.toThrow("enough");
  });

  test("returns an answer without reading a message beyond the limit", async () => {
    const response = await postBody(
      JSON.stringify({ model: "m", messages: [{ role: "user", content: "乘".repeat(30_000) }] }),
    );
    expect(await response.json()).toMatchObject({
      choices: [{ message: { content: stringWith("太长") } }],
    });
  });
});

describe("hostile input to the embedded model", () => {
  const words = [
    "计算",
    "678",
    "乘以",
    "三百",
    "然后",
    "再",
    "，",
    "、",
    "和",
    "的结果",
    "每天",
    "9点",
    "把",
    "它",
    "现在几点",
    "“",
    "”",
    "(",
    ")",
    "((((",
    "-",
    "!",
    "tell me",
    "the time",
    "and",
    "then",
    "first",
    "every",
    "at 9",
    "between 1",
    "to",
    "in Tokyo",
    "it",
    "'",
    '"',
    ":",
    "\n",
    "```json",
    "Results:",
    "sum of",
    "@x",
    "1.",
    "%",
    " ",
  ];
  const phrase = fc
    .array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 6 })), { maxLength: 40 })
    .map((parts) => parts.join(" "));
  const agents = 'Agents:\n```json\n[{"name":"a","description":"time and arithmetic","skills":[]}]\n```';
  const offeredTools = [
    { name: "handoff_to_planner", description: "", parameters: {} },
    { name: "create_plan", description: "", parameters: {} },
    {
      name: "calculate",
      description: "arithmetic",
      parameters: { type: "object", properties: { expression: { type: "string" } }, required: ["expression"] },
    },
  ];

  test.each(["triage", "planner", "synthesis", "agent:x", ""])(
    "never makes the role %j fail or return an empty answer",
    (role) => {
      const turn = (turnRole: "system" | "user", text: string) => ({
        role: turnRole,
        text,
        toolCalls: [],
        toolCallId: "",
      });
      fc.assert(
        fc.property(phrase, (text) => {
          const turns = [turn("system", agents), turn("user", text)];
          const answer = answerRequest({ turns, tools: offeredTools, isStreamed: false, wantsUsage: false }, role);
          expect(answer.kind === "text" ? answer.text !== "" : answer.calls.length > 0).toBe(true);
        }),
        { numRuns: 100 },
      );
    },
  );

  test("never makes the request handler throw", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        expect((await postBody(JSON.stringify(value))).status).toBe(400);
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ["parentheses", "(".repeat(11_500)],
    ["sums", "1+".repeat(5_900)],
    ["lists", "1 and ".repeat(1_900)],
    ["order", "然后".repeat(5_900)],
    ["commas", "计算1，".repeat(2_900)],
    ["quotes", "“".repeat(11_500)],
    ["words", "word ".repeat(2_300)],
    ["one word", "a".repeat(11_900)],
    ["digits", "9".repeat(11_900)],
    ["numerals", "一".repeat(11_900)],
    ["spaces", `x${" ".repeat(11_500)}y`],
    ["line breaks", "\n".repeat(11_500)],
    ["payloads", "把".repeat(11_500)],
    ["times", "每天9点".repeat(2_300)],
    ["capitals", "in A ".repeat(2_300)],
  ])("takes less than 2 s to read for 11,000 characters and more of %s", (_, text) => {
    const turn = { role: "user" as const, text, toolCalls: [], toolCallId: "" };
    for (const role of ["triage", "planner", "agent:x"]) {
      const start = getCpuMs();
      answerRequest(
        {
          turns: [{ ...turn, role: "system", text: agents }, turn],
          tools: offeredTools,
          isStreamed: false,
          wantsUsage: false,
        },
        role,
      );
      expect(getCpuMs() - start).toBeLessThan(2_000);
    }
  });
});
