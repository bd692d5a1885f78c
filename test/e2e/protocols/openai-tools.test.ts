// Client tools, formats and images of chat completions, with the official client.

import type OpenAI from "openai";
import { BadRequestError } from "openai";
import { beforeAll, describe, expect, test } from "vitest";
import { formatUntrusted } from "../../../src/protocol/provenance/untrusted-block.ts";
import { createHandoffReply } from "../../support/model-reply.ts";
import { scriptPlannerQuestions } from "../../support/question-script.ts";
import { CONVERSATION, createUserMessage, getRejection, startOpenAISetup, type OpenAISetup } from "./openai-setup.ts";

type Params = OpenAI.ChatCompletionCreateParamsNonStreaming;

const CITY = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const TOOLS = [{ type: "function" as const, function: { name: "get_weather", parameters: CITY } }];
const FORMAT = { type: "json_schema" as const, json_schema: { name: "city", strict: true, schema: CITY } };

let setup: OpenAISetup;
beforeAll(async () => {
  setup = await startOpenAISetup();
});

const complete = (more: Omit<Params, "model">, headers: Readonly<Record<string, string>> = {}) =>
  setup.client.chat.completions.create({ model: "orrery", ...more }, { headers }).withResponse();

const scriptWeather = () =>
  setup.model.addScript({
    triage: [
      {
        text: "One moment.",
        calls: [
          { name: "get_weather", id: "call_oslo", arguments: { city: "Oslo" } },
          { name: "get_weather", id: "call_rome", arguments: { city: "Rome" } },
        ],
      },
      { text: "Rain in Oslo, sun in Rome." },
    ],
  });
const RESULTS = [
  { role: "tool" as const, tool_call_id: "call_oslo", content: "rain" },
  { role: "tool" as const, tool_call_id: "call_rome", content: "sun" },
];

describe("client tools over the OpenAI API", () => {
  test.each(["with all messages", "with the conversation header"])("are called and continued %s", async (way) => {
    const question = createUserMessage(`Weather? ${scriptWeather()}`);
    const first = await complete({ messages: [question], tools: TOOLS });
    const [choice] = first.data.choices;
    expect(choice).toMatchObject({ finish_reason: "tool_calls", message: { content: "One moment.", refusal: null } });
    const { message } = choice ?? expect.fail("There is no choice.");
    expect(message.tool_calls).toEqual([
      { id: "call_oslo", type: "function", function: { name: "get_weather", arguments: '{"city":"Oslo"}' } },
      { id: "call_rome", type: "function", function: { name: "get_weather", arguments: '{"city":"Rome"}' } },
    ]);
    const conversation = first.response.headers.get(CONVERSATION) ?? "";
    const headers: Record<string, string> = way === "with all messages" ? {} : { [CONVERSATION]: conversation };
    const second = await complete({ messages: [question, message, ...RESULTS], tools: TOOLS }, headers);
    expect(second.data.choices[0]).toMatchObject({
      finish_reason: "stop",
      message: { content: "Rain in Oslo, sun in Rome." },
    });
    const { model } = setup;
    const mark = /⟦[a-z\d]+⟧/.exec(question.content)?.[0] ?? "";
    const sent = model.getCalls(mark, "triage")[1]?.request.messages.slice(1) ?? [];
    expect(sent.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "tool"]);
    expect(sent.slice(2).map(({ tool_call_id: id, content }) => [id, content])).toEqual([
      ["call_oslo", formatUntrusted("get_weather", "rain")],
      ["call_rome", formatUntrusted("get_weather", "sun")],
    ]);
    const events = await setup.ada.history(conversation);
    const ends = events.filter(({ event }) => event === "done");
    expect(ends).toHaveLength(way === "with all messages" ? 1 : 2);
  });

  test("are streamed as deltas that the client joins", async () => {
    const stream = setup.client.chat.completions.stream({
      model: "orrery",
      messages: [createUserMessage(`Weather? ${scriptWeather()}`)],
      tools: TOOLS,
    });
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0]).toMatchObject({ finish_reason: "tool_calls", message: { content: "One moment." } });
    expect(choices[0]?.message.tool_calls?.map((call) => call.type === "function" && call.function.arguments)).toEqual([
      '{"city":"Oslo"}',
      '{"city":"Rome"}',
    ]);
  });

  test("are run by the tool runner of the official client", async () => {
    const runner = setup.client.chat.completions.runTools({
      model: "orrery",
      messages: [createUserMessage(`Weather? ${scriptWeather()}`)],
      tools: [
        {
          type: "function",
          function: {
            name: "get_weather",
            description: "Returns the weather.",
            parameters: CITY,
            function: (args: string) => (args.includes("Oslo") ? "rain" : "sun"),
          },
        },
      ],
    });
    expect(await runner.finalContent()).toBe("Rain in Oslo, sun in Rome.");
  });

  test.each([
    ["required", { tool_choice: "required" as const }],
    ["a tool", { tool_choice: { type: "function" as const, function: { name: "get_weather" } } }],
  ])("must be called if tool_choice is %s", async (_, choice) => {
    const mark = scriptWeather();
    await complete({ messages: [createUserMessage(`Weather? ${mark}`)], tools: TOOLS, ...choice });
    const { request } = setup.model.getCalls(mark)[0] ?? expect.fail("The model was not called.");
    expect(request.tools?.map((tool) => tool.function.name)).toEqual(["get_weather"]);
    expect(request).toMatchObject({ tool_choice: "required" });
  });

  test("are not offered if tool_choice is none", async () => {
    const mark = setup.scriptAnswer("No tools.");
    await complete({ messages: [createUserMessage(`Weather? ${mark}`)], tools: TOOLS, tool_choice: "none" });
    const tools = setup.model.getCalls(mark)[0]?.request.tools;
    expect(tools?.map((tool) => tool.function.name)).toEqual(["handoff_to_planner"]);
  });

  test("remain in the history of later messages", async () => {
    const question = createUserMessage(`Weather? ${scriptWeather()}`);
    const { data } = await complete({ messages: [question], tools: TOOLS });
    const message = data.choices[0]?.message ?? expect.fail("There is no choice.");
    const mark = setup.scriptAnswer("You are welcome.");
    const answer = { role: "assistant" as const, content: "Rain in Oslo, sun in Rome." };
    await complete({ messages: [question, message, ...RESULTS, answer, createUserMessage(`Thanks ${mark}`)] });
    const sent = setup.model.getCalls(mark, "triage")[0]?.request.messages.slice(1) ?? [];
    expect(sent.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "tool", "assistant", "user"]);
  });

  test("[T4] [T3] are called once, with one done, although the host dies during the model call", async () => {
    const calls = [{ name: "get_weather", id: "call_oslo", arguments: { city: "Oslo" } }];
    const mark = setup.model.addScript({ triage: { text: "one two three four five six", paceMs: 100, calls } });
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const request = { model: "orrery", messages: [createUserMessage(`Weather? ${mark}`)], tools: TOOLS };
    const stream = await setup.client.chat.completions.create({ ...request, stream: true }, { headers });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content === "two ") break;
    await setup.runtime.kill();
    await setup.runtime.restart();
    const { data, response } = await setup.client.chat.completions.create(request, { headers }).withResponse();
    expect(data.choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { tool_calls: [{ id: "call_oslo" }] },
    });
    const events = await setup.ada.history(response.headers.get(CONVERSATION) ?? "");
    for (const name of ["tool_call_started", "done"])
      expect(events.filter(({ event }) => event === name)).toHaveLength(1);
  });

  test("are refused with the name of an agent as model", async () => {
    const request = { model: "assistant", messages: [createUserMessage("hello")], tools: TOOLS };
    const thrown = await getRejection(setup.client.chat.completions.create(request));
    expect(thrown).toBeInstanceOf(BadRequestError);
    expect(thrown).toMatchObject({ code: "unsupported", param: "tools" });
  });

  test("with large results are refused before any work", async () => {
    const call = { id: "a", type: "function" as const, function: { name: "get_weather", arguments: "{}" } };
    const messages = [
      createUserMessage("Weather?"),
      { role: "assistant" as const, tool_calls: [call] },
      { role: "tool" as const, tool_call_id: "a", content: "x".repeat(128 * 1024) },
    ];
    expect(await getRejection(complete({ messages }))).toMatchObject({ status: 413, code: "too_large" });
  });
});

describe("formats of answers over the OpenAI API", () => {
  test.each([false, true])("are checked and corrected once; streamed: %s", async (stream) => {
    const mark = setup.model.addScript({ triage: [{ text: "It is Oslo." }, { text: '{"city":"Oslo"}' }] });
    const request = { model: "orrery", messages: [createUserMessage(`City? ${mark}`)], response_format: FORMAT };
    const runner = stream ? setup.client.chat.completions.stream(request) : null;
    const { choices } = await (runner?.finalChatCompletion() ?? setup.client.chat.completions.parse(request));
    expect(choices[0]?.message).toMatchObject({ content: '{"city":"Oslo"}', parsed: { city: "Oslo" }, refusal: null });
    expect(setup.model.getCalls(mark)[0]?.request).toMatchObject({ response_format: FORMAT });
  });

  test.each([false, true])("that the model never meets are an error; streamed: %s", async (stream) => {
    const mark = setup.model.addScript({ triage: { text: "It is Oslo." } });
    const request = { model: "orrery", messages: [createUserMessage(`City? ${mark}`)], response_format: FORMAT };
    const texts: string[] = [];
    const readStream = async () => {
      for await (const { choices } of await setup.client.chat.completions.create({ ...request, stream: true }))
        texts.push(choices[0]?.delta.content ?? "");
    };
    const reading: Promise<unknown> = stream ? readStream() : setup.client.chat.completions.create(request);
    expect(await getRejection(reading)).toMatchObject({ code: "model_malformed" });
    expect(texts.join("")).toBe("");
    expect(setup.model.getCalls(mark)).toHaveLength(2);
  });

  test("also hold for the results of agents", async () => {
    const agentMark = setup.model.addScript({ "agent:assistant": { text: "It is Oslo." } });
    const mark = setup.model.addScript({
      triage: createHandoffReply("single_agent", ["assistant"], `City? ${agentMark}`),
      synthesis: { text: '{"city":"Oslo"}' },
    });
    const { data } = await complete({ messages: [createUserMessage(`City? ${mark}`)], response_format: FORMAT });
    expect(data.choices[0]?.message.content).toBe('{"city":"Oslo"}');
  });

  test.each([false, true])("make a question a refusal; streamed: %s", async (stream) => {
    const { message } = scriptPlannerQuestions(setup.model, "How much?");
    const request = { model: "orrery", messages: [createUserMessage(message)], response_format: FORMAT };
    const runner = stream ? setup.client.chat.completions.stream(request) : null;
    const { choices } = await (runner?.finalChatCompletion() ?? setup.client.chat.completions.parse(request));
    expect(choices[0]).toMatchObject({
      finish_reason: "stop",
      message: { content: stream ? "" : null, refusal: "How much?\n\n- 10\n- 20", parsed: null },
    });
  });

  test("make the guidance of the planner a refusal", async () => {
    const guidance = { tasks: [], adequate: false, reason: "none", guidance_message: "Nobody can do this." };
    const mark = setup.model.addScript({
      triage: createHandoffReply("needs_planning"),
      planner: { calls: [{ name: "create_plan", arguments: guidance }] },
    });
    const { data } = await complete({ messages: [createUserMessage(`City? ${mark}`)], response_format: FORMAT });
    expect(data.choices[0]?.message).toMatchObject({ content: null, refusal: "Nobody can do this." });
  });

  test("may be any JSON object", async () => {
    const mark = setup.model.addScript({ triage: [{ text: "[]" }, { text: '{"a":1}' }] });
    const format = { type: "json_object" as const };
    const { data } = await complete({ messages: [createUserMessage(`JSON ${mark}`)], response_format: format });
    expect(data.choices[0]?.message.content).toBe('{"a":1}');
  });
});

describe("images over the OpenAI API", () => {
  const PIXEL = "data:image/png;base64,iVBORw0KGgo=";
  const createImages = (mark: string, ...urls: string[]) => [
    {
      role: "user" as const,
      content: [
        { type: "text" as const, text: `What is it? ${mark}` },
        ...urls.map((url) => ({ type: "image_url" as const, image_url: { url, detail: "low" as const } })),
      ],
    },
  ];

  test("reach the model of triage as URLs, and the log without them", async () => {
    const mark = setup.scriptAnswer("A pixel.");
    const messages = createImages(mark, PIXEL, "https://pictures.example/a.png");
    const { data, response } = await complete({ messages });
    expect(data.choices[0]?.message.content).toBe("A pixel.");
    expect(setup.model.getCalls(mark, "triage")[0]?.request.messages.at(-1)?.content).toEqual(messages[0]?.content);
    const log = JSON.stringify(await setup.ada.history(response.headers.get(CONVERSATION) ?? ""));
    expect(log).toContain("What is it?");
    expect(log).not.toContain("base64");
  });

  test("may be as large as the limit", async () => {
    const mark = setup.scriptAnswer("A large one.");
    const { data } = await complete({ messages: createImages(mark, `${PIXEL}${"A".repeat(699_960)}`) });
    expect(data.choices[0]?.message.content).toBe("A large one.");
  });

  test.each([
    [400, "unsupported_content", "messages.0.content.1", "http://pictures.example/a.png"],
    [400, "unsupported_content", "messages.0.content.1", "data:image/svg+xml;base64,AAAA"],
    [413, "too_large", "messages", `${PIXEL}${"A".repeat(700_000)}`],
  ])("are refused with status %s and code %s", async (status, code, param, url) => {
    expect(await getRejection(complete({ messages: createImages("", url) }))).toMatchObject({ status, code, param });
  });
});
