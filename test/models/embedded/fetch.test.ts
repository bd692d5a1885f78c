import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerRequest, embeddedFetch } from "../../../src/models/embedded/embedded-fetch.ts";
import { cpuMs } from "../../support/cpu-time.ts";
import { client, containing, matching, some, tool } from "./drive.ts";

const URL = "http://embedded/v1/chat/completions";
const post = (body: string, init: RequestInit = {}) => embeddedFetch(URL, { method: "POST", body, ...init });
const hello = { model: "m", messages: [{ role: "user", content: "hello" }] };

async function frames(response: Response): Promise<unknown[]> {
  const text = await response.text();
  const lines = text.split("\n\n").filter((line) => line !== "");
  expect(lines.every((line) => line.startsWith("data: "))).toBe(true);
  expect(lines.at(-1)).toBe("data: [DONE]");
  return lines.slice(0, -1).map((line) => JSON.parse(line.slice(6)) as unknown);
}

describe("the wire", () => {
  test("a completion that is not streamed", async () => {
    const completion = await client.chat.completions.create({
      model: "m",
      messages: [{ role: "user", content: "hello" }],
    });
    expect(completion).toMatchObject({
      object: "chat.completion",
      model: "orrery-embedded",
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: matching(/^Hello/) } }],
    });
    const usage = completion.usage;
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0));
    expect(usage?.completion_tokens).toBe(Math.ceil((completion.choices[0]?.message.content ?? "").length / 4));
  });

  test("a streamed completion: role, several deltas, finish, usage when asked for, done", async () => {
    const body = { ...hello, stream: true, stream_options: { include_usage: true } };
    const chunks = await frames(await post(JSON.stringify(body)));
    expect(chunks[0]).toMatchObject({ choices: [{ delta: { role: "assistant" }, finish_reason: null }], usage: null });
    expect(chunks.length).toBeGreaterThan(5);
    expect(chunks.at(-2)).toMatchObject({ choices: [{ delta: {}, finish_reason: "stop" }] });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: some(Number) } });
    const unasked = await frames(await post(JSON.stringify({ ...hello, stream: true })));
    expect(unasked.at(-1)).toMatchObject({ choices: [{ finish_reason: "stop" }] });
  });

  test("a tool call arrives in parts and whole", async () => {
    const time = tool("current_time", "The current time.", { timezone: { type: "string" } }, []);
    const body = { model: "m", messages: [{ role: "user", content: "what time is it in Tokyo?" }], tools: [time] };
    const whole = (await (await post(JSON.stringify(body))).json()) as { choices: unknown[] };
    const call = { type: "function", function: { name: "current_time", arguments: '{"timezone":"Asia/Tokyo"}' } };
    expect(whole.choices).toMatchObject([
      { finish_reason: "tool_calls", message: { content: null, tool_calls: [call] } },
    ]);
    const chunks = await frames(await post(JSON.stringify({ ...body, stream: true })));
    expect(chunks[1]).toMatchObject({
      choices: [
        {
          delta: {
            tool_calls: [{ index: 0, id: matching(/^call_/), function: { name: "current_time", arguments: "" } }],
          },
        },
      ],
    });
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: "tool_calls" }] });
  });

  test("the same request gets the same answer", async () => {
    const [first, second] = await Promise.all(
      [post(JSON.stringify(hello)), post(JSON.stringify(hello))].map(async (r) => (await (await r).json()) as object),
    );
    expect({ ...first, created: 0 }).toEqual({ ...second, created: 0 });
  });

  test("tool_choice none and a named tool are honoured", async () => {
    const tools = [tool("roll", "Rolls a die at random."), tool("now", "The current time.")];
    const messages = [{ role: "user", content: "roll a die" }];
    const none = await post(JSON.stringify({ model: "m", messages, tools, tool_choice: "none" }));
    expect(await none.json()).toMatchObject({ choices: [{ finish_reason: "stop" }] });
    const named = await post(
      JSON.stringify({ model: "m", messages, tools, tool_choice: { type: "function", function: { name: "roll" } } }),
    );
    expect(await named.json()).toMatchObject({
      choices: [{ message: { tool_calls: [{ function: { name: "roll" } }] } }],
    });
  });

  test("without a role it is a plain, honest assistant", async () => {
    const response = await post(
      JSON.stringify({ model: "m", messages: [{ role: "user", content: "Who was Newton?" }] }),
    );
    expect(await response.json()).toMatchObject({
      choices: [{ message: { content: containing("OPENAI_API_KEY") } }],
    });
  });

  test("lists its model", async () => {
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(["orrery-embedded"]);
  });

  test("takes a Request as well as an address", async () => {
    const response = await embeddedFetch(new Request(URL, { method: "POST", body: JSON.stringify(hello) }));
    expect(response.status).toBe(200);
  });
});

describe("what is wrong", () => {
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
    ["nothing", "", null],
    ["null", "null", null],
  ])("%s is a 400 in OpenAI's shape", async (_, body, param) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: { message: some(String), type: "invalid_request_error", param, code: null },
    });
  });

  test("other paths and methods are refused in the same shape", async () => {
    expect((await embeddedFetch("http://embedded/v1/embeddings", { method: "POST", body: "{}" })).status).toBe(404);
    expect((await embeddedFetch(URL)).status).toBe(405);
    expect((await embeddedFetch("no address")).status).toBe(400);
  });

  test("an aborted call rejects with the signal's reason", async () => {
    const reason = new Error("enough");
    await expect(post(JSON.stringify(hello), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test("aborting ends the stream", async () => {
    const controller = new AbortController();
    const response = await post(JSON.stringify({ ...hello, stream: true }), { signal: controller.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    controller.abort(new Error("enough"));
    const drain = async () => {
      while ((await reader?.read())?.done === false);
    };
    await expect(drain()).rejects.toThrow("enough");
  });

  test("a message beyond its bound is answered, not read", async () => {
    const response = await post(
      JSON.stringify({ model: "m", messages: [{ role: "user", content: "乘".repeat(30_000) }] }),
    );
    expect(await response.json()).toMatchObject({
      choices: [{ message: { content: containing("太长") } }],
    });
  });
});

describe("hostile input", () => {
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
  const offered = [
    { name: "handoff_to_planner", description: "", parameters: {} },
    { name: "create_plan", description: "", parameters: {} },
    {
      name: "calculate",
      description: "arithmetic",
      parameters: { type: "object", properties: { expression: { type: "string" } }, required: ["expression"] },
    },
  ];

  test.each(["triage", "planner", "synthesis", "agent:x", ""])(
    "no text makes the role %j fail, and every answer says something",
    (role) => {
      const turn = (of: "system" | "user", text: string) => ({ role: of, text, toolCalls: [], toolCallId: "" });
      fc.assert(
        fc.property(phrase, (text) => {
          const turns = [turn("system", agents), turn("user", text)];
          const answer = answerRequest({ turns, tools: offered, isStreamed: false, wantsUsage: false }, role);
          expect(answer.kind === "text" ? answer.text !== "" : answer.calls.length > 0).toBe(true);
        }),
        { numRuns: 400 },
      );
    },
  );

  test("no body makes it throw", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        expect((await post(JSON.stringify(value))).status).toBe(400);
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
  ])("11,000 characters and more of %s are read in under two seconds", (_, text) => {
    const turn = { role: "user" as const, text, toolCalls: [], toolCallId: "" };
    for (const role of ["triage", "planner", "agent:x"]) {
      const start = cpuMs();
      answerRequest(
        {
          turns: [{ ...turn, role: "system", text: agents }, turn],
          tools: offered,
          isStreamed: false,
          wantsUsage: false,
        },
        role,
      );
      expect(cpuMs() - start).toBeLessThan(2_000);
    }
  });
});
