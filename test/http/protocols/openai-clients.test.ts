// Responses of foreign APIs match their description in /openapi.json exactly, also those to the requests that the
// official OpenAI clients send. The requests were recorded from the named versions, with other texts and without the
// headers of connections, proxies and platforms.

import { exports } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { routeDescriptions } from "../../../src/http/http-app.ts";
import type { RouteDescription } from "../../../src/http/api/http-route.ts";
import { call, assertPresent, ORIGIN, type ApiRequest } from "../support.ts";

const COMPLETIONS = "/v1/chat/completions";
const HELLO = [{ role: "user", content: "hello" }];
const EVENTS = { accept: "text/event-stream" };
const CLIENTS: readonly { readonly client: string; readonly streamHeaders?: Readonly<Record<string, string>> }[] = [
  { client: "OpenAI/Python 2.54.0" },
  { client: "OpenAI::Client/Ruby 0.80.0", streamHeaders: EVENTS },
  { client: "OpenAI/Go 3.52.0" },
  { client: "OpenAI/JS 7.55.0" },
];
const PARTS_BODY = {
  model: "orrery",
  messages: [
    { role: "developer", content: "Be terse. 简洁" },
    { role: "system", content: [{ type: "text", text: "你好" }] },
    { role: "user", content: "早" },
    { role: "assistant", content: "好" },
    {
      role: "user",
      content: [
        { type: "text", text: "你好 👋🏽" },
        { type: "text", text: "hello" },
      ],
    },
  ],
};
const IMAGE_BODY = {
  model: "orrery",
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "see" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AA" } },
      ],
    },
  ],
};
const TOOLS_BODY = { model: "assistant", messages: HELLO, tools: [{ type: "function", function: { name: "f" } }] };
const STREAM_BODY = { model: "orrery", messages: HELLO, stream: true, stream_options: { include_usage: true } };

const findDescription = (method: string, path: string): RouteDescription =>
  assertPresent(routeDescriptions.find((description) => description.method === method && description.path === path));

/** Makes all objects of a schema strict, except objects that are loose in the description. */
function toStrictSchema(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const shape = Object.fromEntries(
      Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, inner]) => [name, toStrictSchema(inner)]),
    );
    return schema.def.catchall === undefined ? z.strictObject(shape) : z.looseObject(shape);
  }
  if (schema instanceof z.ZodArray) return z.array(toStrictSchema(schema.element as z.ZodType));
  if (schema instanceof z.ZodOptional) return z.optional(toStrictSchema(schema.unwrap() as z.ZodType));
  return schema;
}

async function expectDescribedResponse(response: Response, { answer }: RouteDescription): Promise<void> {
  expect(response.status).toBe(answer.status);
  expect(response.headers.get("content-type")).toBe("application/json");
  for (const name of Object.keys(answer.headers ?? {})) expect(response.headers.get(name), name).not.toBeNull();
  toStrictSchema(assertPresent(answer.schema) as z.ZodType).parse(await response.json());
}

test.each<[method: "get" | "post", path: string, at: string, options: ApiRequest]>([
  ["get", "/v1/models", "/v1/models", {}],
  ["get", "/v1/models/{model}", "/v1/models/assistant", {}],
  ["post", COMPLETIONS, COMPLETIONS, { body: PARTS_BODY }],
  ["post", "/v1/responses", "/v1/responses", { body: { model: "orrery", input: "hello" } }],
])("the response of %s %s is described", async (method, path, at, options) => {
  await expectDescribedResponse(await call(method.toUpperCase(), at, options), findDescription(method, path));
});

test.each([
  ["/.well-known/agent-card.json", "/.well-known/agent-card.json"],
  ["/a2a/{agent}/.well-known/agent-card.json", "/a2a/assistant/.well-known/agent-card.json"],
])("the agent card at %s is described", async (path, at) => {
  const worker = (exports as unknown as { default: Fetcher }).default;
  for (const version of ["0.3", "1.0"]) {
    const headers = { "a2a-version": version };
    await expectDescribedResponse(await worker.fetch(ORIGIN + at, { headers }), findDescription("get", path));
  }
});

test.each<[path: string, at: string, options: ApiRequest, status: number, param: string | null]>([
  ["/v1/models", "/v1/models", { env: { AUTH_SECRET: "a secret that is long enough for HS256" } }, 401, null],
  ["/v1/models/{model}", "/v1/models/nobody", {}, 404, "model"],
  [COMPLETIONS, COMPLETIONS, { body: { ...TOOLS_BODY, tools: undefined, n: 2 } }, 400, "n"],
  [COMPLETIONS, COMPLETIONS, { body: TOOLS_BODY }, 400, "tools"],
  [COMPLETIONS, COMPLETIONS, { body: IMAGE_BODY }, 400, "messages.0"],
])("the error of %s is described: %#", async (path, at, options, status, param) => {
  const method = path === COMPLETIONS ? "post" : "get";
  const { errorFormat } = findDescription(method, path);
  const response = await call(method.toUpperCase(), at, options);
  expect(response.status).toBe(status);
  const error = toStrictSchema(assertPresent(errorFormat).schema as z.ZodType).parse(await response.json());
  expect(error).toMatchObject({ error: { param } });
});

describe.each(CLIENTS)("$client", ({ client, streamHeaders = {} }) => {
  test("can stream: the role, text, the end, and the usage in a chunk without choices", async () => {
    const headers = { "user-agent": client, ...streamHeaders };
    const response = await call("POST", COMPLETIONS, { headers, body: STREAM_BODY });
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
});

/** The exact types of a chunk: clients in typed languages reject anything else. */
const chunkSchema = z.strictObject({
  id: z.string().startsWith("chatcmpl-"),
  object: z.literal("chat.completion.chunk"),
  created: z.int(),
  model: z.string(),
  system_fingerprint: z.null(),
  choices: z
    .array(
      z.strictObject({
        index: z.literal(0),
        delta: z.strictObject({ role: z.literal("assistant").optional(), content: z.string().optional() }),
        logprobs: z.null(),
        finish_reason: z.literal("stop").nullable(),
      }),
    )
    .max(1),
  usage: z.strictObject({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() }).nullable(),
});
