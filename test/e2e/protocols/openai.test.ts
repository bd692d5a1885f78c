// The OpenAI API with clients that were written for OpenAI.

import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { generateText, streamText } from "ai";
import { NotFoundError, RateLimitError } from "openai";
import { beforeAll, describe, expect, test } from "vitest";
import {
  CONVERSATION,
  getRejection,
  startOpenAISetup,
  getReasoning,
  createUserMessage,
  type OpenAISetup,
} from "./openai-setup.ts";

let setup: OpenAISetup;

beforeAll(async () => {
  setup = await startOpenAISetup();
});

describe("models of the OpenAI API", () => {
  test("are the runtime and its agents", async () => {
    const { data } = await setup.client.models.list();
    expect(data.map(({ id }) => id)).toEqual(["orrery", "assistant", "toolsmith", "analyst"]);
    expect(await setup.client.models.retrieve("assistant")).toMatchObject({ id: "assistant", object: "model" });
  });

  test("do not include unknown or disabled agents", async () => {
    expect(await getRejection(setup.client.models.retrieve("gpt-5"))).toBeInstanceOf(NotFoundError);
    await setup.ada.request("PATCH", "/api/v1/agents/toolsmith", { enabled: false });
    const completion = setup.client.chat.completions.create({
      model: "toolsmith",
      messages: [createUserMessage("hello")],
    });
    const thrown = await getRejection(completion);
    expect(thrown).toBeInstanceOf(NotFoundError);
    expect(thrown).toMatchObject({ code: "model_not_found", param: "model", type: "invalid_request_error" });
    expect((await setup.client.models.list()).data.map(({ id }) => id)).not.toContain("toolsmith");
    await setup.ada.request("PATCH", "/api/v1/agents/toolsmith", { enabled: true });
  });
});

describe("OpenAI chat completion", () => {
  test("returns a direct answer with its usage", async () => {
    const { data, response } = await setup.client.chat.completions
      .create({ model: "orrery", messages: [createUserMessage(`Hello ${setup.scriptAnswer("Hello there.")}`)] })
      .withResponse();
    expect(data).toMatchObject({
      object: "chat.completion",
      model: "orrery",
      choices: [{ index: 0, message: { role: "assistant", content: "Hello there." }, finish_reason: "stop" }],
      usage: { prompt_tokens: 100, completion_tokens: 2, total_tokens: 102 },
    });
    const id = response.headers.get(CONVERSATION) ?? "";
    expect(await setup.ada.get(`/api/v1/conversations/${id}`)).toMatchObject({ status: "completed" });
  });

  test("streams a direct answer with the role first and the usage last", async () => {
    const { chunks, text, finish, usage } = await setup.streamCompletion(
      `Hello ${setup.scriptAnswer("Hello there, Ada.")}`,
    );
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: "assistant", content: "" });
    expect(text).toBe("Hello there, Ada.");
    expect(chunks.length).toBeGreaterThan(4);
    expect(finish).toEqual(["stop"]);
    expect(chunks.at(-1)?.choices).toEqual([]);
    expect(usage).toEqual({ prompt_tokens: 100, completion_tokens: 3, total_tokens: 103 });
  });

  test("returns the answer of a single task or the synthesis of several, with progress as reasoning", async () => {
    const oneTask = await setup.streamCompletion(`Please ${setup.scriptPlan("The only word.")}`);
    expect(oneTask.text).toBe("The only word.");
    expect(oneTask.reasoning).toBe("▸ Part 0 (assistant)\n✓ Part 0\n");
    const { choices } = await setup.client.chat.completions.create({
      model: "orrery",
      messages: [createUserMessage(`Please ${setup.scriptPlan("First.", "Second.")}`)],
    });
    expect(choices[0]?.message.content).toBe("All of it is done.");
    const lines = getReasoning(choices[0]?.message ?? {}).split("\n");
    expect(lines).toEqual(expect.arrayContaining(["▸ Part 0 (assistant)", "✓ Part 0", "✓ Part 1"]));
    expect(lines.join("\n")).not.toContain("First.");
  });

  test("sends the message to the agent that is named as the model", async () => {
    const mark = setup.model.addScript({ "agent:assistant": { text: "It was me." } });
    const request = { model: "assistant", messages: [createUserMessage(`Who? ${mark}`)] };
    const { choices, model: modelName } = await setup.client.chat.completions.create(request);
    expect(choices[0]?.message.content).toBe("It was me.");
    expect(modelName).toBe("assistant");
    expect(setup.model.getCalls(mark, "triage")).toEqual([]);
  });

  test("does not contain the text of an interrupted attempt", async () => {
    const mark = setup.model.addScript({
      triage: ({ attempt }) =>
        attempt === 0 ? { text: "Half of it", fault: { kind: "cut" } } : { text: "All of it." },
    });
    const { choices } = await setup.client.chat.completions.create({
      model: "orrery",
      messages: [createUserMessage(`Hello ${mark}`)],
    });
    expect(choices[0]?.message.content).toBe("All of it.");
  });
});

describe("other clients of the OpenAI API", () => {
  const provider = () =>
    createOpenAICompatible({
      name: "orrery",
      baseURL: `${setup.runtime.url}/v1`,
      apiKey: setup.token,
      includeUsage: true,
    });

  test("the Vercel AI SDK gets text, reasoning and usage with and without streaming", async () => {
    const prompt = `Please ${setup.scriptPlan("From the agent.")}`;
    const wholeAnswer = await generateText({ model: provider()("orrery"), prompt });
    expect(wholeAnswer.text).toBe("From the agent.");
    expect(wholeAnswer.reasoningText).toContain("▸ Part 0");
    expect(wholeAnswer.finishReason).toBe("stop");
    expect(wholeAnswer.usage.inputTokens).toBeGreaterThan(0);
    const stream = streamText({ model: provider()("orrery"), prompt: `Please ${setup.scriptPlan("Again.")}` });
    expect(await stream.text).toBe("Again.");
    expect(await stream.reasoningText).toContain("✓ Part 0");
    expect((await stream.usage).outputTokens).toBeGreaterThan(0);
  });

  test("LangChain gets text and usage with and without streaming and passes earlier messages", async () => {
    const chat = new ChatOpenAI({
      model: "orrery",
      apiKey: setup.token,
      maxRetries: 0,
      streamUsage: true,
      configuration: { baseURL: `${setup.runtime.url}/v1` },
    });
    const mark = setup.scriptAnswer("Your name is Ada.");
    const history = [new SystemMessage("Be kind."), new HumanMessage("I am Ada."), new AIMessage("Hello Ada.")];
    const wholeAnswer = await chat.invoke([...history, new HumanMessage(`Who am I? ${mark}`)]);
    expect(wholeAnswer.text).toBe("Your name is Ada.");
    expect(wholeAnswer.usage_metadata).toMatchObject({ input_tokens: 100, output_tokens: 4 });
    expect(setup.listPromptMessages(mark, "triage")).toContain("user: I am Ada.");
    let text = "";
    for await (const chunk of await chat.stream(`Hello ${setup.scriptAnswer("In pieces.")}`)) text += chunk.text;
    expect(text).toBe("In pieces.");
  });
});

describe("rate limit of the OpenAI API", () => {
  test("rejects further requests with the error and Retry-After of OpenAI", async () => {
    const limitedSetup = await startOpenAISetup({ MAX_MESSAGES_PER_MINUTE: "1" });
    const request = {
      model: "orrery",
      messages: [createUserMessage(`Hello ${limitedSetup.scriptAnswer("Hello.")}`)],
    };
    await limitedSetup.client.chat.completions.create(request);
    for (const stream of [false, true]) {
      const thrown = await getRejection(limitedSetup.client.chat.completions.create({ ...request, stream }));
      expect(thrown).toBeInstanceOf(RateLimitError);
      expect(thrown).toMatchObject({ status: 429, code: "rate_limit_exceeded", type: "rate_limit_error" });
      const { headers } = thrown as RateLimitError;
      expect(Number(headers?.get("retry-after"))).toBeGreaterThan(0);
      expect(headers?.get("x-should-retry")).toBeNull();
    }
  });
});
