// Conversations and failures behind the API of OpenAI, with the official stage.client.

import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ChatOpenAI } from "@langchain/openai";
import { generateText } from "ai";
import type OpenAI from "openai";
import { APIError, AuthenticationError, BadRequestError, NotFoundError } from "openai";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ask, askingWith } from "../../support/asking.ts";
import { handoff, planOf } from "../../support/model-reply.ts";
import { signed } from "../../http/tokens.ts";
import { CONVERSATION, rejection, startStage, user, type Stage } from "./openai-stage.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());

describe("a conversation", () => {
  test("without its header, what was said before comes from the messages, and triage and agents know it", async () => {
    const mark = stage.model.act({
      triage: handoff("single_agent", ["assistant"]),
      "agent:assistant": { text: "Blue." },
    });
    const { choices } = await stage.client.chat.completions.create({
      model: "orrery",
      messages: [
        { role: "system", content: "You are terse." },
        user("My favourite colour is blue."),
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
    expect(stage.toldTo(mark, "triage")).toEqual([
      "system: You are terse.",
      "user: My favourite colour is blue.",
      "assistant: Noted.",
      `user: Which is it?\n${mark}`,
    ]);
    expect(stage.model.callsOf(mark, "agent:assistant")[0]?.request.messages[0]?.content).toContain(
      "My favourite colour is blue.",
    );
  });

  test("with its header, the last message is sent, and the conversation knows the rest", async () => {
    const first = await stage.streamed(`I like green ${stage.says("Green it is.")}`);
    const mark = stage.says("You said green.");
    const second = await stage.streamed(
      `Which? ${mark}`,
      { messages: [user("I like red"), { role: "assistant", content: "Red." }, user(`Which? ${mark}`)] },
      { [CONVERSATION]: first.conversation },
    );
    expect(second.conversation).toBe(first.conversation);
    const told = stage.toldTo(mark, "triage")?.join("\n");
    expect(told).toContain("Green it is.");
    expect(told).not.toContain("Red.");
  });

  test("[U1] of somebody else, or that never was, is not there; what is no name is refused", async () => {
    const { conversation } = await stage.streamed(`Hello ${stage.says("Hello.")}`);
    const bob = stage.clientOf(await signed({ sub: "bob" }));
    const at = (id: string, by = bob) =>
      rejection(
        Promise.resolve(
          by.chat.completions.create(
            { model: "orrery", messages: [user("hello")] },
            { headers: { [CONVERSATION]: id } },
          ),
        ),
      );
    const [foreign, never] = [await at(conversation), await at("conv-never")];
    expect(foreign).toBeInstanceOf(NotFoundError);
    expect((foreign as APIError).error).toEqual((never as APIError).error);
    expect(await at("../x", stage.client)).toBeInstanceOf(BadRequestError);
    expect(await at("x".repeat(129), stage.client)).toMatchObject({ status: 400, param: CONVERSATION });
  });

  test("a question ends the turn as a message, and the next one answers it", async () => {
    const { message } = askingWith(stage.model, "How much?");
    const asked = await stage.streamed(message);
    expect(asked.text).toBe("How much?\n\n- 10\n- 20");
    expect(asked.finish).toEqual(["stop"]);
    const answered = await stage.streamed("20", {}, { [CONVERSATION]: asked.conversation });
    expect(answered.text).toBe("It is paid.");
    expect(answered.finish).toEqual(["stop"]);
  });

  test("a question waits over an eviction", async () => {
    const parts = planOf({ query: `Pay ${stage.model.act({ "agent:assistant": { text: "Paid." } })}` });
    const mark = stage.model.act({ triage: handoff("needs_planning"), planner: [ask("How much?"), parts] });
    const asked = await stage.client.chat.completions
      .create({ model: "orrery", messages: [user(`Pay ${mark}`)] })
      .withResponse();
    expect(asked.data.choices[0]?.message.content).toBe("How much?");
    await stage.runtime.kill();
    await stage.runtime.restart();
    const headers = { [CONVERSATION]: asked.response.headers.get(CONVERSATION) ?? "" };
    const answered = await stage.client.chat.completions.create(
      { model: "orrery", messages: [user("10")] },
      { headers },
    );
    expect(answered.choices[0]?.message.content).toBe("Paid.");
  });
});

describe("clients that go", () => {
  test("[F13] the work goes on, and who asks again gets it whole, also after the host died", async () => {
    const mark = stage.model.act({ triage: { text: "one two three four five six seven eight", paceMs: 100 } });
    const options = { headers: { "Idempotency-Key": "key-of-the-gone" } };
    const asked = { model: "orrery", messages: [user(`Count ${mark}`)], stream: true as const };
    const stream = await stage.client.chat.completions.create(asked, options);
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content === "two ") break;
    await stage.runtime.kill();
    await stage.runtime.restart();
    const again = await stage.streamed(`Count ${mark}`, {}, options.headers);
    expect(again.text).toMatch(/one two three four five six seven eight$/);
    expect(again.finish).toEqual(["stop"]);
  });
});

describe("[T5] work that the person stops is never told as whole", () => {
  const stopIn = async (conversation: string, more: object = {}) => {
    const stopped = await stage.ada.request("POST", `/api/v1/conversations/${conversation}/cancel`, more);
    expect(stopped.status).toBeLessThan(300);
  };

  test("a stream ends with an error, after what was said", async () => {
    const mark = stage.model.act({ triage: { text: "one two three four five six seven eight", paceMs: 200 } });
    const asked = { model: "orrery", messages: [user(`Count ${mark}`)], stream: true as const };
    const { data: stream, response } = await stage.client.chat.completions.create(asked).withResponse();
    const heard: string[] = [];
    const finish: string[] = [];
    const hear = async () => {
      for await (const { choices } of stream) {
        const content = choices[0]?.delta.content ?? "";
        heard.push(content);
        if (content === "two ") await stopIn(response.headers.get(CONVERSATION) ?? "");
        finish.push(...choices.flatMap(({ finish_reason: reason }) => reason ?? []));
      }
    };
    const thrown = await rejection(hear());
    expect(thrown).toBeInstanceOf(APIError);
    expect(thrown).toMatchObject({ code: "cancelled" });
    expect(String(thrown)).toContain("stopped");
    expect(heard.join("")).toMatch(/^one two (?!.*eight)/);
    expect(finish).toEqual([]);
  });

  test("so does that of a plan of which every task was stopped", async () => {
    const slow = stage.model.act({ "agent:assistant": { text: "one two three four five six", paceMs: 300 } });
    const mark = stage.model.act({ triage: handoff("needs_planning"), planner: planOf({ query: `Count ${slow}` }) });
    const asked = { model: "orrery", messages: [user(`Count ${mark}`)], stream: true as const };
    const { data: stream, response } = await stage.client.chat.completions.create(asked).withResponse();
    const id = response.headers.get(CONVERSATION) ?? "";
    const hear = async () => {
      for await (const { choices } of stream) {
        if (choices[0]?.delta.content !== "two ") continue;
        const { tasks } = await stage.ada.get<{ tasks: { task_id: string }[] }>(`/api/v1/conversations/${id}/tasks`);
        await stopIn(id, { task_id: tasks[0]?.task_id });
      }
    };
    expect(await rejection(hear())).toMatchObject({ code: "cancelled" });
  });

  const provider = () =>
    createOpenAICompatible({ name: "orrery", baseURL: `${stage.runtime.url}/v1`, apiKey: stage.token });
  type Asks = (prompt: string, conversation: string) => PromiseLike<unknown>;
  const CLIENTS: Readonly<Record<string, Asks>> = {
    "the official one": (prompt, conversation) =>
      stage
        .clientOf(stage.token, { maxRetries: 2 })
        .chat.completions.create(
          { model: "orrery", messages: [user(prompt)] },
          { headers: { [CONVERSATION]: conversation } },
        ),
    "the AI SDK": (prompt, conversation) =>
      generateText({ model: provider()("orrery"), prompt, headers: { [CONVERSATION]: conversation } }),
    LangChain: (prompt, conversation) =>
      new ChatOpenAI({
        model: "orrery",
        apiKey: stage.token,
        configuration: { baseURL: `${stage.runtime.url}/v1`, defaultHeaders: { [CONVERSATION]: conversation } },
      }).invoke(prompt),
  };

  test.each(Object.entries(CLIENTS))(
    "a whole answer is an error, on which %s does not begin it anew",
    async (_, complete) => {
      const mark = stage.model.act({ triage: { text: "one two three four five six seven eight", paceMs: 200 } });
      const made = await stage.ada.request("POST", "/api/v1/conversations", {});
      const { conversation_id: id } = (await made.json()) as { conversation_id: string };
      const refused = rejection(complete(`Count ${mark}`, id));
      await vi.waitFor(() => expect(stage.model.callsOf(mark)).toHaveLength(1), { timeout: 10_000 });
      await stopIn(id);
      expect(String(await refused)).toContain("stopped before it was done");
      expect(stage.model.callsOf(mark)).toHaveLength(1);
    },
  );
});

describe("what goes wrong", () => {
  test("before the first byte has its status and OpenAI's shape", async () => {
    const thrown = await rejection(stage.clientOf("sk-wrong").models.list());
    expect(thrown).toBeInstanceOf(AuthenticationError);
    expect(thrown).toMatchObject({ status: 401, code: "invalid_api_key", type: "invalid_request_error" });
    const bare = await fetch(`${stage.runtime.url}/v1/models`);
    expect([bare.status, bare.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  });

  test.each([
    ["tools", { tools: [{ type: "function", function: { name: "f", parameters: {} } }] }],
    ["functions", { functions: [{ name: "f" }] }],
    ["tool_choice", { tool_choice: "required" }],
    ["n", { n: 2 }],
    ["logprobs", { logprobs: true }],
    ["response_format", { response_format: { type: "json_object" } }],
    ["modalities", { modalities: ["text", "audio"] }],
    ["audio", { audio: { voice: "alloy", format: "wav" } }],
    ["stop", { stop: ["END"] }],
    ["messages.0.role", { messages: [{ role: "tool", tool_call_id: "x", content: "y" }, user("hello")] }],
    [
      "messages.0.content.0",
      { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "x" } }] }] },
    ],
  ])("%s are refused, never left out", async (param, more) => {
    const asked = { model: "orrery", messages: [user("hello")], ...more } as OpenAI.ChatCompletionCreateParams;
    const thrown = await rejection(Promise.resolve(stage.client.chat.completions.create(asked)));
    expect(thrown).toBeInstanceOf(BadRequestError);
    expect(thrown).toMatchObject({ code: "unsupported", param });
  });

  test("what has no meaning here does no harm", async () => {
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
    expect((await stage.streamed(`Hello ${stage.says("All the same.")}`, more)).text).toBe("All the same.");
  });

  test("during the work is an error with its words: a status when whole, the end of a stream when not", async () => {
    const mark = stage.model.act({ triage: { trouble: { kind: "status", status: 400 } } });
    const messages = [user(`Hello ${mark}`)];
    const whole = (await rejection(stage.client.chat.completions.create({ model: "orrery", messages }))) as APIError;
    expect(whole.status).toBe(502);
    expect(whole.code).toBe("model_refused");
    expect(whole.headers?.get("x-should-retry")).toBe("false");
    expect(whole.headers?.get(CONVERSATION)).toMatch(/^conv-/);
    const thrown = await rejection(stage.streamed(`Hello ${mark}`));
    expect(thrown).toBeInstanceOf(APIError);
    expect(thrown).toMatchObject({ code: "model_refused", type: "server_error" });
  });

  test("after tasks have completed leaves their results, and says why there is no more", async () => {
    const message = `Please ${stage.unsummed("First.", "Second.")}`;
    const { choices, usage } = await stage.client.chat.completions.create({
      model: "orrery",
      messages: [user(message)],
    });
    const content = choices[0]?.message.content ?? "";
    expect(content).toMatch(/^\*\*Part 0\*\*\n\nFirst\.\n\n\*\*Part 1\*\*\n\nSecond\.\n\n\S.*model.*/);
    expect(choices[0]?.finish_reason).toBe("length");
    expect(usage?.total_tokens).toBeGreaterThan(0);
    expect(await stage.streamed(message)).toMatchObject({ text: content, finish: ["length"], usage });
  });

  test("a client that comes back by itself does not do the work twice", async () => {
    const mark = stage.model.act({ triage: { trouble: { kind: "status", status: 400 } } });
    const eager = stage.clientOf(stage.token, { maxRetries: 3 });
    await rejection(
      Promise.resolve(eager.chat.completions.create({ model: "orrery", messages: [user(`Hello ${mark}`)] })),
    );
    expect(stage.model.callsOf(mark)).toHaveLength(1);
  });
});
