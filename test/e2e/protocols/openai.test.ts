// The API of OpenAI, with clients that were written for OpenAI.

import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { generateText, streamText } from "ai";
import { NotFoundError, RateLimitError } from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CONVERSATION, rejection, startStage, thoughtsIn, user, type Stage } from "./openai-stage.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());

describe("models", () => {
  test("are the runtime and its agents", async () => {
    const { data } = await stage.client.models.list();
    expect(data.map(({ id }) => id)).toEqual(["orrery", "assistant", "toolsmith", "analyst"]);
    expect(await stage.client.models.retrieve("assistant")).toMatchObject({ id: "assistant", object: "model" });
  });

  test("what is none of them, or switched off, is not there", async () => {
    expect(await rejection(stage.client.models.retrieve("gpt-5"))).toBeInstanceOf(NotFoundError);
    await stage.ada.request("PATCH", "/api/v1/agents/toolsmith", { enabled: false });
    const asked = stage.client.chat.completions.create({ model: "toolsmith", messages: [user("hello")] });
    const thrown = await rejection(asked);
    expect(thrown).toBeInstanceOf(NotFoundError);
    expect(thrown).toMatchObject({ code: "model_not_found", param: "model", type: "invalid_request_error" });
    expect((await stage.client.models.list()).data.map(({ id }) => id)).not.toContain("toolsmith");
    await stage.ada.request("PATCH", "/api/v1/agents/toolsmith", { enabled: true });
  });
});

describe("a completion", () => {
  test("of the runtime's own answer, whole", async () => {
    const { data, response } = await stage.client.chat.completions
      .create({ model: "orrery", messages: [user(`Hello ${stage.says("Hello there.")}`)] })
      .withResponse();
    expect(data).toMatchObject({
      object: "chat.completion",
      model: "orrery",
      choices: [{ index: 0, message: { role: "assistant", content: "Hello there." }, finish_reason: "stop" }],
      usage: { prompt_tokens: 100, completion_tokens: 2, total_tokens: 102 },
    });
    const id = response.headers.get(CONVERSATION) ?? "";
    expect(await stage.ada.get(`/api/v1/conversations/${id}`)).toMatchObject({ status: "completed" });
  });

  test("of it, in chunks: the role first, the end and the usage last", async () => {
    const { chunks, text, finish, usage } = await stage.streamed(`Hello ${stage.says("Hello there, Ada.")}`);
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: "assistant", content: "" });
    expect(text).toBe("Hello there, Ada.");
    expect(chunks.length).toBeGreaterThan(4);
    expect(finish).toEqual(["stop"]);
    expect(chunks.at(-1)?.choices).toEqual([]);
    expect(usage).toEqual({ prompt_tokens: 100, completion_tokens: 3, total_tokens: 103 });
  });

  test("of one task is what its agent says, of several the summary; the rest is thought", async () => {
    const one = await stage.streamed(`Please ${stage.planned("The only word.")}`);
    expect(one.text).toBe("The only word.");
    expect(one.thoughts).toBe("▸ Part 0 (assistant)\n✓ Part 0\n");
    const { choices } = await stage.client.chat.completions.create({
      model: "orrery",
      messages: [user(`Please ${stage.planned("First.", "Second.")}`)],
    });
    expect(choices[0]?.message.content).toBe("All of it is done.");
    const lines = thoughtsIn(choices[0]?.message ?? {}).split("\n");
    expect(lines).toEqual(expect.arrayContaining(["▸ Part 0 (assistant)", "✓ Part 0", "✓ Part 1"]));
    expect(lines.join("\n")).not.toContain("First.");
  });

  test("of an agent alone goes to that agent", async () => {
    const mark = stage.model.act({ "agent:assistant": { text: "It was me." } });
    const asked = { model: "assistant", messages: [user(`Who? ${mark}`)] };
    const { choices, model: named } = await stage.client.chat.completions.create(asked);
    expect(choices[0]?.message.content).toBe("It was me.");
    expect(named).toBe("assistant");
    expect(stage.model.callsOf(mark, "triage")).toEqual([]);
  });

  test("[T2] that is asked for again under the same key is the same one", async () => {
    const mark = stage.says("Once.");
    const again = () => stage.streamed(`Hello ${mark}`, {}, { "Idempotency-Key": "key-of-ada" });
    const [first, second] = [await again(), await again()];
    expect(second.conversation).toBe(first.conversation);
    expect(second.text).toBe("Once.");
    expect(second.chunks[0]?.id).toBe(first.chunks[0]?.id);
    expect(stage.model.callsOf(mark)).toHaveLength(1);
  });

  test("takes back what an interrupted attempt had said", async () => {
    const mark = stage.model.act({
      triage: ({ attempt }) =>
        attempt === 0 ? { text: "Half of it", trouble: { kind: "cut" } } : { text: "All of it." },
    });
    const { choices } = await stage.client.chat.completions.create({
      model: "orrery",
      messages: [user(`Hello ${mark}`)],
    });
    expect(choices[0]?.message.content).toBe("All of it.");
  });
});

describe("other ecosystems", () => {
  const provider = () =>
    createOpenAICompatible({
      name: "orrery",
      baseURL: `${stage.runtime.url}/v1`,
      apiKey: stage.token,
      includeUsage: true,
    });

  test("the AI SDK of Vercel, whole and streaming, with reasoning and usage", async () => {
    const prompt = `Please ${stage.planned("From the agent.")}`;
    const whole = await generateText({ model: provider()("orrery"), prompt });
    expect(whole.text).toBe("From the agent.");
    expect(whole.reasoningText).toContain("▸ Part 0");
    expect(whole.finishReason).toBe("stop");
    expect(whole.usage.inputTokens).toBeGreaterThan(0);
    const stream = streamText({ model: provider()("orrery"), prompt: `Please ${stage.planned("Again.")}` });
    expect(await stream.text).toBe("Again.");
    expect(await stream.reasoningText).toContain("✓ Part 0");
    expect((await stream.usage).outputTokens).toBeGreaterThan(0);
  });

  test("LangChain, whole and streaming, with what was said before", async () => {
    const chat = new ChatOpenAI({
      model: "orrery",
      apiKey: stage.token,
      maxRetries: 0,
      streamUsage: true,
      configuration: { baseURL: `${stage.runtime.url}/v1` },
    });
    const mark = stage.says("Your name is Ada.");
    const before = [new SystemMessage("Be kind."), new HumanMessage("I am Ada."), new AIMessage("Hello Ada.")];
    const whole = await chat.invoke([...before, new HumanMessage(`Who am I? ${mark}`)]);
    expect(whole.text).toBe("Your name is Ada.");
    expect(whole.usage_metadata).toMatchObject({ input_tokens: 100, output_tokens: 4 });
    expect(stage.toldTo(mark, "triage")).toContain("user: I am Ada.");
    let text = "";
    for await (const chunk of await chat.stream(`Hello ${stage.says("In pieces.")}`)) text += chunk.text;
    expect(text).toBe("In pieces.");
  });
});

describe("limits", () => {
  test("who begins too much is told when to come back, as OpenAI tells it", async () => {
    const strict = await startStage({ MAX_MESSAGES_PER_MINUTE: "1" });
    try {
      const asked = { model: "orrery", messages: [user(`Hello ${strict.says("Hello.")}`)] };
      await strict.client.chat.completions.create(asked);
      for (const stream of [false, true]) {
        const thrown = await rejection(strict.client.chat.completions.create({ ...asked, stream }));
        expect(thrown).toBeInstanceOf(RateLimitError);
        expect(thrown).toMatchObject({ status: 429, code: "rate_limit_exceeded", type: "rate_limit_error" });
        const { headers } = thrown as RateLimitError;
        expect(Number(headers?.get("retry-after"))).toBeGreaterThan(0);
        expect(headers?.get("x-should-retry")).toBeNull();
      }
    } finally {
      await strict.stop();
    }
  });
});
