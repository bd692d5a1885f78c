// The official OpenAI clients of several languages: their requests, and the responses that they can parse.

import { describe, expect, test } from "vitest";
import * as z from "zod";
import { RECORDED, type RecordedClient } from "./openai-requests.ts";
import { call } from "./support.ts";

const CHAT = "/v1/chat/completions";

/** The exact types of the API: clients in typed languages reject anything else. */
const modelSchema = z.strictObject({
  id: z.string(),
  object: z.literal("model"),
  created: z.int(),
  owned_by: z.string(),
});
const usageSchema = z.strictObject({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() });
const commonFields = { id: z.string().startsWith("chatcmpl-"), created: z.int(), model: z.string() };
const finishReason = z.literal("stop");
const completionSchema = z.strictObject({
  ...commonFields,
  object: z.literal("chat.completion"),
  system_fingerprint: z.null(),
  choices: z.tuple([
    z.strictObject({
      index: z.literal(0),
      message: z.strictObject({ role: z.literal("assistant"), content: z.string().min(1), refusal: z.null() }),
      logprobs: z.null(),
      finish_reason: finishReason,
    }),
  ]),
  usage: usageSchema,
});
const deltaSchema = z.strictObject({ role: z.literal("assistant").optional(), content: z.string().optional() });
const chunkSchema = z.strictObject({
  ...commonFields,
  object: z.literal("chat.completion.chunk"),
  system_fingerprint: z.null(),
  choices: z
    .array(
      z.strictObject({
        index: z.literal(0),
        delta: deltaSchema,
        logprobs: z.null(),
        finish_reason: finishReason.nullable(),
      }),
    )
    .max(1),
  usage: usageSchema.nullable(),
});
const refusalSchema = z.strictObject({
  error: z.strictObject({
    message: z.string(),
    type: z.literal("invalid_request_error"),
    param: z.string(),
    code: z.literal("unsupported"),
  }),
});

describe.each(RECORDED)("$client", ({ headers, requests }) => {
  const sendRecorded = (requestName: keyof RecordedClient["requests"], method = "POST", path = CHAT) => {
    const { headers: own, body } = requests[requestName];
    return call(method, path, { headers: { ...headers, ...own }, ...(body === undefined ? {} : { body }) });
  };

  test("can list models", async () => {
    const response = await sendRecorded("models", "GET", "/v1/models");
    const { data } = z
      .strictObject({ object: z.literal("list"), data: z.array(modelSchema) })
      .parse(await response.json());
    expect(data.map(({ id }) => id)).toContain("orrery");
  });

  test("receives an answer to a message of several parts after instructions and a history", async () => {
    const response = await sendRecorded("parts");
    expect(response.headers.get("x-orrery-conversation")).toMatch(/^conv-/);
    expect(completionSchema.parse(await response.json()).model).toBe("orrery");
  });

  test("can stream: the role, text, the end, and the usage in a chunk without choices", async () => {
    const response = await sendRecorded("stream");
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const events = (await response.text()).split("\n\n").filter((event) => event.startsWith("data: "));
    expect(events.pop()).toBe("data: [DONE]");
    const chunks = events.map((event) => chunkSchema.parse(JSON.parse(event.slice("data: ".length))));
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(chunks[0]?.choices[0]?.delta.role).toBe("assistant");
    expect(chunks.map(({ choices: [choice] }) => choice?.delta.content ?? "").join("")).not.toBe("");
    expect(chunks.flatMap(({ choices: [choice] }) => choice?.finish_reason ?? [])).toEqual(["stop"]);
    const [last, ...others] = chunks.toReversed();
    expect(last).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) as number } });
    expect(others.every(({ usage }) => usage === null)).toBe(true);
  });

  test.each([
    ["tools", /^tools$/],
    ["image", /^messages\.0\.content\.\d$/],
  ] as const)("receives an error that names the field of %s", async (name, param) => {
    const response = await sendRecorded(name);
    expect(response.status).toBe(400);
    const { error } = refusalSchema.parse(await response.json());
    expect(error.param).toMatch(param);
  });
});
