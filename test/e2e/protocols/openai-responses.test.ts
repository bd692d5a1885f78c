// The Responses API, with the official client.

import type OpenAI from "openai";
import { BadRequestError, NotFoundError } from "openai";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { formatUntrusted } from "../../../src/protocol/provenance/untrusted-block.ts";
import { scriptPlannerQuestions } from "../../support/question-script.ts";
import { CONVERSATION, getRejection, startOpenAISetup, type OpenAISetup } from "./openai-setup.ts";

type Params = OpenAI.Responses.ResponseCreateParamsNonStreaming;
type StreamEvent = OpenAI.Responses.ResponseStreamEvent;

const CITY = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const TOOLS = [{ type: "function" as const, name: "get_weather", parameters: CITY, strict: true }];
const FORMAT = { type: "json_schema" as const, name: "city", strict: true, schema: CITY };

let setup: OpenAISetup;
beforeAll(async () => {
  setup = await startOpenAISetup();
});

const respond = (input: string | OpenAI.Responses.ResponseInput, more: Omit<Params, "model" | "input"> = {}) =>
  setup.client.responses.create({ model: "orrery", input, ...more });

async function streamResponse(input: string, more: object = {}): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  const request = { model: "orrery", input, ...more, stream: true as const };
  for await (const event of await setup.client.responses.create(request)) events.push(event);
  return events;
}

const scriptWeather = () =>
  setup.model.addScript({
    triage: [
      { calls: [{ name: "get_weather", id: "call_oslo", arguments: { city: "Oslo" } }] },
      { text: "Rain in Oslo." },
    ],
  });
const RESULT = { type: "function_call_output" as const, call_id: "call_oslo", output: "rain" };

describe("response of the OpenAI API", () => {
  test("contains the text and the usage, and can be read again", async () => {
    const response = await respond(`Hello ${setup.scriptAnswer("Hello there.")}`, { instructions: "Be terse." });
    expect(response).toMatchObject({
      object: "response",
      status: "completed",
      output_text: "Hello there.",
      instructions: "Be terse.",
      usage: { input_tokens: 100, output_tokens: 2, total_tokens: 102 },
    });
    const { instructions: _, ...again } = await setup.client.responses.retrieve(response.id);
    expect(response).toMatchObject(again);
  });

  test("passes instructions and messages to the model", async () => {
    const mark = setup.scriptAnswer("Blue.");
    const image = { type: "input_image" as const, image_url: "https://pictures.example/a.png", detail: "low" as const };
    await respond(
      [
        { role: "developer", content: "Be kind." },
        { role: "user", content: "I like blue." },
        { role: "assistant", content: "Noted." },
        { role: "user", content: [{ type: "input_text", text: `Which? ${mark}` }, image] },
      ],
      { instructions: "Be terse." },
    );
    const messages = setup.model.getCalls(mark, "triage")[0]?.request.messages.slice(1) ?? [];
    expect(messages.slice(0, -1).map(({ role, content }) => `${role}: ${content}`)).toEqual([
      "system: Be terse.",
      "system: Be kind.",
      "user: I like blue.",
      "assistant: Noted.",
    ]);
    expect(messages.at(-1)?.content).toEqual([
      { type: "text", text: `Which? ${mark}` },
      { type: "image_url", image_url: { url: image.image_url, detail: "low" } },
    ]);
  });

  test("is streamed as the events of the Responses API, in order and numbered", async () => {
    const events = await streamResponse(`Please ${setup.scriptPlan("From the agent.")}`);
    const types = events.map(({ type }) => type).filter((type, i, all) => type !== all[i - 1]);
    expect(types).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.reasoning_summary_part.added",
      "response.reasoning_summary_text.delta",
      "response.reasoning_summary_text.done",
      "response.reasoning_summary_part.done",
      "response.output_item.done",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, i) => i));
    const text = events.map((event) => (event.type === "response.output_text.delta" ? event.delta : "")).join("");
    const last = events.at(-1);
    if (last?.type !== "response.completed") return expect.fail("The stream has no end.");
    expect(text).toBe("From the agent.");
    expect(last.response.output.map(({ type }) => type)).toEqual(["reasoning", "message"]);
    expect(await setup.client.responses.retrieve(last.response.id)).toMatchObject({ output_text: text });
  });

  test("continues the conversation of the previous response", async () => {
    const first = await respond(`I like green ${setup.scriptAnswer("Green it is.")}`).withResponse();
    const mark = setup.scriptAnswer("You said green.");
    const second = await respond(`Which? ${mark}`, { previous_response_id: first.data.id }).withResponse();
    expect(second.data).toMatchObject({ output_text: "You said green.", previous_response_id: first.data.id });
    const conversation = second.response.headers.get(CONVERSATION);
    expect(conversation).toBe(first.response.headers.get(CONVERSATION));
    expect(setup.listPromptMessages(mark, "triage")?.join("\n")).toContain("Green it is.");
  });

  test("asks a question that the next response answers, and both remain readable", async () => {
    const { message } = scriptPlannerQuestions(setup.model, "How much?");
    const first = await respond(message);
    expect(first).toMatchObject({ status: "completed", output_text: "How much?\n\n- 10\n- 20", usage: null });
    const second = await respond("20", { previous_response_id: first.id });
    expect(second.output_text).toBe("It is paid.");
    expect(second.id).not.toBe(first.id);
    const texts = await Promise.all(
      [first.id, second.id].map(async (id) => (await setup.client.responses.retrieve(id)).output_text),
    );
    expect(texts).toEqual([first.output_text, second.output_text]);
  });

  test("runs in the background and is cancelled", async () => {
    const mark = setup.model.addScript({ triage: { text: "one two three four five six seven eight", paceMs: 500 } });
    const started = await respond(`Count ${mark}`, { background: true });
    expect(started).toMatchObject({ status: "in_progress", background: true, output: [] });
    await vi.waitFor(() => expect(setup.model.getCalls(mark)).toHaveLength(1), { timeout: 10_000 });
    expect(await setup.client.responses.retrieve(started.id)).toMatchObject({ status: "in_progress" });
    expect(await setup.client.responses.cancel(started.id)).toMatchObject({ status: "cancelled" });
    expect(await setup.client.responses.retrieve(started.id)).toMatchObject({ error: { code: "cancelled" } });
    expect(await setup.client.responses.cancel(started.id), "again").toMatchObject({ status: "cancelled" });
  });

  test("is deleted with its conversation, unless that has other messages", async () => {
    const first = await respond(`Hello ${setup.scriptAnswer("Hello.")}`);
    const second = await respond(`Bye ${setup.scriptAnswer("Bye.")}`, { previous_response_id: first.id });
    expect(await getRejection(setup.client.responses.delete(second.id))).toMatchObject({ status: 409 });
    const only = await respond(`Hello ${setup.scriptAnswer("Hello.")}`);
    await setup.client.responses.delete(only.id);
    expect(await getRejection(setup.client.responses.retrieve(only.id))).toBeInstanceOf(NotFoundError);
  });
});

describe("client tools over the Responses API", () => {
  test("are called and continued with the previous response", async () => {
    const mark = scriptWeather();
    const first = await respond(`Weather? ${mark}`, { tools: TOOLS });
    const [call] = first.output;
    expect(call).toMatchObject({
      type: "function_call",
      status: "completed",
      call_id: "call_oslo",
      name: "get_weather",
      arguments: '{"city":"Oslo"}',
    });
    const second = await respond([RESULT], { tools: TOOLS, previous_response_id: first.id });
    expect(second.output_text).toBe("Rain in Oslo.");
    const sent = setup.model.getCalls(mark, "triage")[1]?.request.messages.slice(1) ?? [];
    expect(sent.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(sent.at(-1)?.content).toBe(formatUntrusted("get_weather", "rain"));
  });

  test.each(["as items", "as a reference"])("are continued with the calls %s", async (way) => {
    const message = `Weather? ${scriptWeather()}`;
    const first = await respond(message, { tools: TOOLS });
    const [call] = first.output;
    if (call?.type !== "function_call") return expect.fail("There is no call.");
    const item = way === "as items" ? call : { type: "item_reference" as const, id: call.id ?? "" };
    const second = await respond([{ role: "user", content: message }, item, RESULT], { tools: TOOLS });
    expect(second.output_text).toBe("Rain in Oslo.");
  });

  test("are streamed", async () => {
    const events = await streamResponse(`Weather? ${scriptWeather()}`, { tools: TOOLS });
    expect(events.map(({ type }) => type)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.function_call_arguments.delta",
      "response.function_call_arguments.done",
      "response.output_item.done",
      "response.completed",
    ]);
  });

  test("[T4] keep the message in the prompt over more calls than the history has exchanges", async () => {
    const rounds = Array.from({ length: 8 }, (_, i) => ({
      calls: [{ name: "get_weather", id: `call_${i}`, arguments: { city: `${i}` } }],
    }));
    const mark = setup.model.addScript({ triage: [...rounds, { text: "Enough." }] });
    let response = await respond(`Weather? ${mark}`, { tools: TOOLS });
    for (let i = 0; i < rounds.length; i++) {
      const result = { ...RESULT, call_id: `call_${i}` };
      response = await respond([result], { tools: TOOLS, previous_response_id: response.id });
    }
    expect(response.output_text).toBe("Enough.");
    const sent = setup.model.getCalls(mark, "triage").at(-1)?.request.messages.slice(1) ?? [];
    expect(sent[0]?.content).toContain("Weather?");
    expect(sent).toHaveLength(17);
  });

  test.each([
    ["of an unknown call", { ...RESULT, call_id: "call_x" }],
    ["without any call", RESULT],
  ])("refuse an output %s", async (way, result) => {
    const first = await respond(`Weather? ${scriptWeather()}`, { tools: TOOLS });
    const more = way === "without any call" ? {} : { previous_response_id: first.id };
    expect(await getRejection(respond([result], more))).toMatchObject({ status: 400, param: "input.0" });
  });
});

describe("formats of answers over the Responses API", () => {
  test("are checked and corrected once", async () => {
    const mark = setup.model.addScript({ triage: [{ text: "It is Oslo." }, { text: '{"city":"Oslo"}' }] });
    const request = { model: "orrery", input: `City? ${mark}`, text: { format: FORMAT } };
    expect((await setup.client.responses.parse(request)).output_parsed).toEqual({ city: "Oslo" });
  });

  test("make a question a refusal, also when the response is read again", async () => {
    const { message } = scriptPlannerQuestions(setup.model, "How much?");
    const response = await respond(message, { text: { format: FORMAT } });
    const content = [{ type: "refusal", refusal: "How much?\n\n- 10\n- 20" }];
    expect(response.output.at(-1)).toMatchObject({ type: "message", content });
    const again = await setup.client.responses.retrieve(response.id);
    expect(again.output.at(-1)).toMatchObject({ type: "message", content });
  });
});

describe("errors of the Responses API", () => {
  test.each([
    ["previous_response_id", (id: string) => respond("hello", { previous_response_id: id })],
    ["GET", (id: string) => setup.client.responses.retrieve(id)],
    ["DELETE", (id: string) => setup.client.responses.delete(id)],
    ["cancel", (id: string) => setup.client.responses.cancel(id)],
  ])("are 404 for an unknown id in %s", async (_, call) => {
    const unknown = `resp_2_${"0".repeat(32)}_conv-${"0".repeat(32)}`;
    for (const id of [unknown, "resp_x"])
      expect(await getRejection(call(id))).toMatchObject({ status: 404, code: "not_found" });
  });

  test.each([
    ["tools.0", { tools: [{ type: "web_search" as const }] }],
    ["prompt", { prompt: { id: "p" } }],
    ["conversation", { conversation: "conv-1" }],
    ["input.0.content.0", { input: [{ role: "user" as const, content: [{ type: "input_file" as const }] }] }],
    ["input.0.content", { input: [{ role: "user" as const, content: "" }] }],
    ["text.format", { text: { format: { type: "grammar" } as never } }],
  ])("refuse %s", async (param, more) => {
    const thrown = await getRejection(setup.client.responses.create({ model: "orrery", input: "hello", ...more }));
    expect(thrown).toBeInstanceOf(BadRequestError);
    expect(thrown).toMatchObject({ param });
  });

  test("during a thread are a status without streaming and response.failed with streaming", async () => {
    const mark = setup.model.addScript({ triage: { fault: { kind: "status", status: 400 } } });
    expect(await getRejection(respond(`Hello ${mark}`))).toMatchObject({ status: 502, code: "model_refused" });
    const events = await streamResponse(`Hello ${mark}`);
    expect(events.at(-1)).toMatchObject({
      type: "response.failed",
      response: { status: "failed", error: { code: "model_refused" } },
    });
  });

  test("of the synthesis are a response with the results of the tasks", async () => {
    const response = await respond(`Please ${setup.scriptPlanWithoutSummary("First.", "Second.")}`);
    expect(response).toMatchObject({ status: "completed", incomplete_details: null });
    expect(response.output_text).toContain("First.");
  });
});
