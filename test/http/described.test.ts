// What others have defined is as /openapi.json tells it.

import { exports } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { routeDescriptions } from "../../src/http/http-app.ts";
import type { RouteDescription } from "../../src/http/define-route.ts";
import { call, must, ORIGIN, type Ask } from "./support.ts";

const toldOf = (method: string, path: string): RouteDescription =>
  must(routeDescriptions.find((known) => known.method === method && known.path === path));

/** No more than is told, at any depth: what is loose in the description stays loose. */
function exact(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const shape = Object.fromEntries(
      Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, inner]) => [name, exact(inner)]),
    );
    return schema.def.catchall === undefined ? z.strictObject(shape) : z.looseObject(shape);
  }
  if (schema instanceof z.ZodArray) return z.array(exact(schema.element as z.ZodType));
  if (schema instanceof z.ZodOptional) return z.optional(exact(schema.unwrap() as z.ZodType));
  return schema;
}

async function expectAsTold(response: Response, { answer }: RouteDescription): Promise<void> {
  expect(response.status).toBe(answer.status);
  expect(response.headers.get("content-type")).toBe("application/json");
  for (const name of Object.keys(answer.headers ?? {})) expect(response.headers.get(name), name).not.toBeNull();
  const schema = exact(must(answer.schema));
  expect(schema.safeParse(await response.json())).toMatchObject({ success: true });
  expect(schema.safeParse({ surprise: 1 }).success).toBe(false);
}

const asked = { model: "orrery", messages: [{ role: "user", content: "hello" }] };

describe("as told", () => {
  test.each<[method: "get" | "post", path: string, at: string, options: Ask]>([
    ["get", "/v1/models", "/v1/models", {}],
    ["get", "/v1/models/{model}", "/v1/models/assistant", {}],
    ["post", "/v1/chat/completions", "/v1/chat/completions", { body: asked }],
  ])("%s %s is answered", async (method, path, at, options) => {
    await expectAsTold(await call(method.toUpperCase(), at, options), toldOf(method, path));
  });

  test.each([
    ["/.well-known/agent-card.json", "/.well-known/agent-card.json"],
    ["/a2a/{agent}/.well-known/agent-card.json", "/a2a/assistant/.well-known/agent-card.json"],
  ])("the card %s is answered", async (path, at) => {
    const worker = (exports as unknown as { default: Fetcher }).default;
    const told = toldOf("get", path);
    for (const version of ["0.3", "1.0"]) {
      await expectAsTold(await worker.fetch(ORIGIN + at, { headers: { "a2a-version": version } }), told);
    }
  });

  test.each<[method: "get" | "post", path: string, at: string, options: Ask, status: number]>([
    ["get", "/v1/models", "/v1/models", { env: { AUTH_SECRET: "a secret that is long enough for HS256" } }, 401],
    ["get", "/v1/models/{model}", "/v1/models/nobody", {}, 404],
    ["post", "/v1/chat/completions", "/v1/chat/completions", { body: { ...asked, n: 2 } }, 400],
    ["post", "/v1/chat/completions", "/v1/chat/completions", { body: { ...asked, model: "nobody" } }, 404],
  ])("%s %s is refused", async (method, path, at, options, status) => {
    const { errorFormat } = toldOf(method, path);
    const response = await call(method.toUpperCase(), at, options);
    expect(response.status).toBe(status);
    expect(exact(must(errorFormat).schema).safeParse(await response.json())).toMatchObject({ success: true });
  });

  test("a completion is streamed in the chunks that are shown", async () => {
    const { stream } = toldOf("post", "/v1/chat/completions");
    const shown = JSON.parse(must(/^data: (.*)$/m.exec(must(stream).example))[1] ?? "") as object;
    const response = await call("POST", "/v1/chat/completions", { body: { ...asked, stream: true } });
    const [first = ""] = (await response.text()).split("\n\n").filter((event) => event.startsWith("data: "));
    expect(Object.keys(JSON.parse(first.slice("data: ".length)) as object).toSorted()).toEqual(
      Object.keys(shown).toSorted(),
    );
  });

  test("headers that are told of mean something", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const twice = await Promise.all(
      [1, 2].map(() => call("POST", "/v1/chat/completions", { headers, body: asked }).then((answer) => answer.json())),
    );
    const [first, second] = twice as { id: string }[];
    expect(second?.id).toBe(first?.id);
    const known = Object.keys(toldOf("post", "/v1/chat/completions").headers ?? {});
    expect(known.toSorted()).toEqual(["idempotency-key", "x-orrery-conversation"]);
  });
});
