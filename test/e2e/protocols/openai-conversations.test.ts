// Conversations and failures of the OpenAI API, with the official client.

import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ChatOpenAI } from "@langchain/openai";
import { generateText } from "ai";
import type OpenAI from "openai";
import { APIError, AuthenticationError, BadRequestError } from "openai";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { createQuestionReply, scriptPlannerQuestions } from "../../support/question-script.ts";
import { createHandoffReply, createPlanReply } from "../../support/model-reply.ts";
import { CONVERSATION, getRejection, startOpenAISetup, createUserMessage, type OpenAISetup } from "./openai-setup.ts";

let setup: OpenAISetup;

beforeAll(async () => {
  setup = await startOpenAISetup();
});

describe("conversation over the OpenAI API", () => {
  test("passes the messages of a request without header to the triage and the agents", async () => {
    const mark = setup.model.addScript({
      triage: createHandoffReply("single_agent", ["assistant"]),
      "agent:assistant": { text: "Blue." },
    });
    const { choices } = await setup.client.chat.completions.create({
      model: "orrery",
      messages: [
        { role: "system", content: "You are terse." },
        createUserMessage("My favourite colour is blue."),
        { role: "assistant", content: "Noted." },
        {
          role: "user",
          content: [
            { type: "text", text: "Which is it?" },
            { type: "text", text: mark },
          ],
        },
      ],
    });
    expect(choices[0]?.message.content).toBe("Blue.");
    expect(setup.listPromptMessages(mark, "triage")).toEqual([
      "system: You are terse.",
      "user: My favourite colour is blue.",
      "assistant: Noted.",
      `user: Which is it?\n${mark}`,
    ]);
    expect(setup.model.getCalls(mark, "agent:assistant")[0]?.request.messages[1]?.content).toContain(
      "My favourite colour is blue.",
    );
  });

  test("adds only the last message of a request with the conversation header", async () => {
    const first = await setup.streamCompletion(`I like green ${setup.scriptAnswer("Green it is.")}`);
    const mark = setup.scriptAnswer("You said green.");
    const second = await setup.streamCompletion(
      `Which? ${mark}`,
      {
        messages: [
          createUserMessage("I like red"),
          { role: "assistant", content: "Red." },
          createUserMessage(`Which? ${mark}`),
        ],
      },
      { [CONVERSATION]: first.conversation },
    );
    expect(second.conversation).toBe(first.conversation);
    const promptText = setup.listPromptMessages(mark, "triage")?.join("\n");
    expect(promptText).toContain("Green it is.");
    expect(promptText).not.toContain("Red.");
  });

  test("returns a question as an answer that the next message answers", async () => {
    const { message } = scriptPlannerQuestions(setup.model, "How much?");
    const questionStream = await setup.streamCompletion(message);
    expect(questionStream.text).toBe("How much?\n\n- 10\n- 20");
    expect(questionStream.finish).toEqual(["stop"]);
    const answered = await setup.streamCompletion("20", {}, { [CONVERSATION]: questionStream.conversation });
    expect(answered.text).toBe("It is paid.");
    expect(answered.finish).toEqual(["stop"]);
  });

  test("keeps a question over a crash", async () => {
    const parts = createPlanReply({ query: `Pay ${setup.model.addScript({ "agent:assistant": { text: "Paid." } })}` });
    const mark = setup.model.addScript({
      triage: createHandoffReply("needs_planning"),
      planner: [createQuestionReply("How much?"), parts],
    });
    const questionResponse = await setup.client.chat.completions
      .create({ model: "orrery", messages: [createUserMessage(`Pay ${mark}`)] })
      .withResponse();
    expect(questionResponse.data.choices[0]?.message.content).toBe("How much?");
    await setup.runtime.kill();
    await setup.runtime.restart();
    const headers = { [CONVERSATION]: questionResponse.response.headers.get(CONVERSATION) ?? "" };
    const answered = await setup.client.chat.completions.create(
      { model: "orrery", messages: [createUserMessage("10")] },
      { headers },
    );
    expect(answered.choices[0]?.message.content).toBe("Paid.");
  });
});

describe("OpenAI client that disconnects", () => {
  test("[F13] gets the complete answer when it repeats its request, also after a host crash", async () => {
    const mark = setup.model.addScript({ triage: { text: "one two three four five six seven eight", paceMs: 100 } });
    const options = { headers: { "Idempotency-Key": "key-of-the-gone" } };
    const request = { model: "orrery", messages: [createUserMessage(`Count ${mark}`)], stream: true as const };
    const stream = await setup.client.chat.completions.create(request, options);
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content === "two ") break;
    await setup.runtime.kill();
    await setup.runtime.restart();
    const again = await setup.streamCompletion(`Count ${mark}`, {}, options.headers);
    expect(again.text).toMatch(/one two three four five six seven eight$/);
    expect(again.finish).toEqual(["stop"]);
  });
});

describe("[T5] cancelled thread over the OpenAI API", () => {
  const cancelConversation = async (conversation: string, more: object = {}) => {
    const stopped = await setup.ada.request("POST", `/api/v1/conversations/${conversation}/cancel`, more);
    expect(stopped.status).toBeLessThan(300);
  };

  const provider = () =>
    createOpenAICompatible({ name: "orrery", baseURL: `${setup.runtime.url}/v1`, apiKey: setup.token });
  type CompletePrompt = (prompt: string, conversation: string) => PromiseLike<unknown>;
  const CLIENTS: Readonly<Record<string, CompletePrompt>> = {
    "the official client": (prompt, conversation) =>
      setup
        .createClient(setup.token, { maxRetries: 2 })
        .chat.completions.create(
          { model: "orrery", messages: [createUserMessage(prompt)] },
          { headers: { [CONVERSATION]: conversation } },
        ),
    "the AI SDK": (prompt, conversation) =>
      generateText({ model: provider()("orrery"), prompt, headers: { [CONVERSATION]: conversation } }),
    LangChain: (prompt, conversation) =>
      new ChatOpenAI({
        model: "orrery",
        apiKey: setup.token,
        configuration: { baseURL: `${setup.runtime.url}/v1`, defaultHeaders: { [CONVERSATION]: conversation } },
      }).invoke(prompt),
  };

  test.each(Object.entries(CLIENTS))(
    "returns an error to a request without streaming that %s does not retry",
    async (_, completePrompt) => {
      const mark = setup.model.addScript({ triage: { text: "one two three four five six seven eight", paceMs: 200 } });
      const created = await setup.ada.request("POST", "/api/v1/conversations", {});
      const { conversation_id: id } = (await created.json()) as { conversation_id: string };
      const refused = getRejection(completePrompt(`Count ${mark}`, id));
      await vi.waitFor(() => expect(setup.model.getCalls(mark)).toHaveLength(1), { timeout: 10_000 });
      await cancelConversation(id);
      expect(String(await refused)).toContain("stopped before it finished");
      expect(setup.model.getCalls(mark)).toHaveLength(1);
    },
  );
});

describe("errors of the OpenAI API", () => {
  test("have a status and the OpenAI format for an invalid key", async () => {
    const thrown = await getRejection(setup.createClient("sk-wrong").models.list());
    expect(thrown).toBeInstanceOf(AuthenticationError);
    expect(thrown).toMatchObject({ status: 401, code: "invalid_api_key", type: "invalid_request_error" });
    const bare = await fetch(`${setup.runtime.url}/v1/models`);
    expect([bare.status, bare.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  });

  test.each([
    ["functions", { functions: [{ name: "f" }] }],
    ["n", { n: 2 }],
    ["logprobs", { logprobs: true }],
    ["modalities", { modalities: ["text", "audio"] }],
    ["audio", { audio: { voice: "alloy", format: "wav" } }],
    ["stop", { stop: ["END"] }],
  ])("reject the unsupported parameter %s", async (param, more) => {
    const request = {
      model: "orrery",
      messages: [createUserMessage("hello")],
      ...more,
    } as OpenAI.ChatCompletionCreateParams;
    const thrown = await getRejection(Promise.resolve(setup.client.chat.completions.create(request)));
    expect(thrown).toBeInstanceOf(BadRequestError);
    expect(thrown).toMatchObject({ code: "unsupported", param });
  });

  test("do not occur for parameters without effect", async () => {
    const more = {
      temperature: 0,
      top_p: 1,
      max_tokens: 5,
      max_completion_tokens: 5,
      seed: 7,
      user: "u",
      store: true,
      metadata: { a: "b" },
      tool_choice: "none",
      tools: [],
      n: 1,
      response_format: { type: "text" },
      stop: null,
    };
    expect((await setup.streamCompletion(`Hello ${setup.scriptAnswer("All the same.")}`, more)).text).toBe(
      "All the same.",
    );
  });

  test("during a thread are a status without streaming and the end of the stream with streaming", async () => {
    const mark = setup.model.addScript({ triage: { fault: { kind: "status", status: 400 } } });
    const messages = [createUserMessage(`Hello ${mark}`)];
    const wholeError = (await getRejection(
      setup.client.chat.completions.create({ model: "orrery", messages }),
    )) as APIError;
    expect(wholeError.status).toBe(502);
    expect(wholeError.code).toBe("model_refused");
    expect(wholeError.headers?.get("x-should-retry")).toBe("false");
    expect(wholeError.headers?.get(CONVERSATION)).toMatch(/^conv-/);
    const thrown = await getRejection(setup.streamCompletion(`Hello ${mark}`));
    expect(thrown).toBeInstanceOf(APIError);
    expect(thrown).toMatchObject({ code: "model_refused", type: "server_error" });
  });

  test("of the synthesis return the task results and the reason", async () => {
    const message = `Please ${setup.scriptPlanWithoutSummary("First.", "Second.")}`;
    const { choices, usage } = await setup.client.chat.completions.create({
      model: "orrery",
      messages: [createUserMessage(message)],
    });
    const content = choices[0]?.message.content ?? "";
    expect(content).toMatch(
      /The model endpoint rejected.*\n\n\*\*Part 0\*\*\n\nFirst\.\n\n\*\*Part 1\*\*\n\nSecond\.$/,
    );
    expect(choices[0]?.finish_reason).toBe("stop");
    expect(usage?.total_tokens).toBeGreaterThan(0);
    expect(await setup.streamCompletion(message)).toMatchObject({ text: content, finish: ["stop"], usage });
  });

  test("are not retried by a client with retries", async () => {
    const mark = setup.model.addScript({ triage: { fault: { kind: "status", status: 400 } } });
    const retryingClient = setup.createClient(setup.token, { maxRetries: 3 });
    await getRejection(
      Promise.resolve(
        retryingClient.chat.completions.create({ model: "orrery", messages: [createUserMessage(`Hello ${mark}`)] }),
      ),
    );
    expect(setup.model.getCalls(mark)).toHaveLength(1);
  });
});
