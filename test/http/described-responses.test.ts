// Responses of foreign APIs match their description in /openapi.json.

import { exports } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { routeDescriptions } from "../../src/http/http-app.ts";
import type { RouteDescription } from "../../src/http/api/http-route.ts";
import { call, assertPresent, ORIGIN, type ApiRequest } from "./support.ts";

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
  const schema = toStrictSchema(assertPresent(answer.schema) as z.ZodType);
  expect(schema.safeParse(await response.json())).toMatchObject({ success: true });
  expect(schema.safeParse({ surprise: 1 }).success).toBe(false);
}

const COMPLETION_BODY = { model: "orrery", messages: [{ role: "user", content: "hello" }] };

describe("the OpenAPI document", () => {
  test.each<[method: "get" | "post", path: string, at: string, options: ApiRequest]>([
    ["get", "/v1/models", "/v1/models", {}],
    ["get", "/v1/models/{model}", "/v1/models/assistant", {}],
    ["post", "/v1/chat/completions", "/v1/chat/completions", { body: COMPLETION_BODY }],
  ])("describes the response of %s %s", async (method, path, at, options) => {
    await expectDescribedResponse(await call(method.toUpperCase(), at, options), findDescription(method, path));
  });

  test.each([
    ["/.well-known/agent-card.json", "/.well-known/agent-card.json"],
    ["/a2a/{agent}/.well-known/agent-card.json", "/a2a/assistant/.well-known/agent-card.json"],
  ])("describes the agent card at %s", async (path, at) => {
    const worker = (exports as unknown as { default: Fetcher }).default;
    const description = findDescription("get", path);
    for (const version of ["0.3", "1.0"]) {
      await expectDescribedResponse(
        await worker.fetch(ORIGIN + at, { headers: { "a2a-version": version } }),
        description,
      );
    }
  });

  test.each<[method: "get" | "post", path: string, at: string, options: ApiRequest, status: number]>([
    ["get", "/v1/models", "/v1/models", { env: { AUTH_SECRET: "a secret that is long enough for HS256" } }, 401],
    ["get", "/v1/models/{model}", "/v1/models/nobody", {}, 404],
    ["post", "/v1/chat/completions", "/v1/chat/completions", { body: { ...COMPLETION_BODY, n: 2 } }, 400],
    ["post", "/v1/chat/completions", "/v1/chat/completions", { body: { ...COMPLETION_BODY, model: "nobody" } }, 404],
  ])("describes the error of %s %s", async (method, path, at, options, status) => {
    const { errorFormat } = findDescription(method, path);
    const response = await call(method.toUpperCase(), at, options);
    expect(response.status).toBe(status);
    expect(
      toStrictSchema(assertPresent(errorFormat).schema as z.ZodType).safeParse(await response.json()),
    ).toMatchObject({
      success: true,
    });
  });

  test("describes the chunks of a streamed completion", async () => {
    const { stream } = findDescription("post", "/v1/chat/completions");
    const example = JSON.parse(assertPresent(/^data: (.*)$/m.exec(assertPresent(stream).example))[1] ?? "") as object;
    const response = await call("POST", "/v1/chat/completions", { body: { ...COMPLETION_BODY, stream: true } });
    const [first = ""] = (await response.text()).split("\n\n").filter((event) => event.startsWith("data: "));
    expect(Object.keys(JSON.parse(first.slice("data: ".length)) as object).toSorted()).toEqual(
      Object.keys(example).toSorted(),
    );
  });

  test("describes the headers that a completion uses", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const answers = await Promise.all(
      [1, 2].map(() =>
        call("POST", "/v1/chat/completions", { headers, body: COMPLETION_BODY }).then((answer) => answer.json()),
      ),
    );
    const [first, second] = answers as { id: string }[];
    expect(second?.id).toBe(first?.id);
    const headerNames = Object.keys(findDescription("post", "/v1/chat/completions").headers ?? {});
    expect(headerNames.toSorted()).toEqual(["idempotency-key", "x-orrery-conversation"]);
  });
});
