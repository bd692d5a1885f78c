// The OpenAPI document is valid, complete and readable.

import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { routeDescriptions, routes } from "../../../src/http/http-app.ts";
import { buildOpenApiDocument } from "../../../src/http/openapi-document.ts";
import { conversationEventSchema } from "../../../src/protocol/wire/events.ts";

const operationSchema = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  security: z.array(z.unknown()).optional(),
  parameters: z.array(
    z.object({ name: z.string(), in: z.enum(["path", "query", "header"]), schema: z.looseObject({}) }),
  ),
  requestBody: z
    .object({ content: z.record(z.string(), z.object({ schema: z.looseObject({}), example: z.unknown() })) })
    .optional(),
  responses: z.record(z.string(), z.looseObject({ content: z.record(z.string(), z.unknown()).optional() })),
});
const documentSchema = z.object({
  openapi: z.literal("3.1.0"),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({
    schemas: z.record(z.string(), z.looseObject({})),
    responses: z.record(z.string(), z.looseObject({ headers: z.looseObject({}) })),
  }),
});

const document = buildOpenApiDocument(routeDescriptions);
const { tags, paths, components } = documentSchema.parse(document);
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);

test("the document is valid OpenAPI 3.1, and each reference resolves", async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  expect(validator.version).toBe("3.1");
  for (const [, id = ""] of JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
    expect(components.schemas).toHaveProperty(id);
  }
  expect(JSON.stringify(document)).not.toContain("$defs");
});

test("the validator detects an invalid document", async () => {
  const broken = { ...structuredClone(document), paths: { "/x": { get: { responses: "none" } } } };
  expect((await new Validator().validate(broken)).valid).toBe(false);
});

test("the document contains each route once, with a unique operation id", () => {
  const described = operations.map(({ method, path }) => `${method} ${path}`);
  expect(routes.filter((route) => !routeDescriptions.includes(route))).toEqual([]);
  expect(described.toSorted()).toEqual(routeDescriptions.map(({ method, path }) => `${method} ${path}`).toSorted());
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(operations.length);
  expect(names).toContain("getConversationsByIdEvents");
});

describe.each(operations)("the operation $method $path", ({ path, method, operationId: _, ...operation }) => {
  const route = routeDescriptions.find((description) => description.path === path && description.method === method);

  test("has a summary, known tags and its security", () => {
    expect(operation.summary).not.toBe("");
    expect(tags.map(({ name }) => name)).toEqual(expect.arrayContaining(operation.tags));
    expect(operation.security).toEqual(route?.isPublic === true ? [] : undefined);
  });

  test("lists its parameters", () => {
    const inPath = operation.parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    const inQuery = operation.parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
    expect(inQuery).toEqual(Object.keys(route?.query?.shape ?? {}));
  });

  test("has a valid example of its body", () => {
    const content = operation.requestBody?.content ?? {};
    if (route?.uploads !== undefined) {
      expect(Object.keys(content)).toEqual(Object.keys(route.uploads));
      return;
    }
    const body = content["application/json"];
    expect(body === undefined).toBe(route?.body === null);
    if (body !== undefined) expect(route?.body?.safeParse(body.example)).toMatchObject({ success: true });
    // A body that rejects unknown members declares it. Clients of the analysis and of OpenAI may send additional
    // members, and configurations of plans come unchanged from other systems.
    const isStrict =
      route?.tag !== "Analysis" &&
      route?.tag !== "OpenAI" &&
      !/^(post|put) \/api\/v1\/plan-templates(\/\{id\})?$/.test(`${method} ${path}`);
    const forms = body === undefined ? [] : ((body.schema["anyOf"] ?? [body.schema]) as Record<string, unknown>[]);
    const open = route?.tag === "OpenAI" ? {} : undefined;
    for (const form of forms) expect(form["additionalProperties"]).toEqual(isStrict ? false : open);
  });

  test("has valid examples of its responses", () => {
    if (route?.answer.example !== undefined) {
      expect(z.safeParse(route.answer.schema ?? z.never(), route.answer.example)).toMatchObject({ success: true });
    }
    if (route?.errorFormat !== undefined) {
      expect(z.safeParse(route.errorFormat.schema, route.errorFormat.example)).toMatchObject({ success: true });
    }
  });

  test("declares its response types and its error format", () => {
    const refusal = path.startsWith("/v1/") ? "OpenAiError" : "Problem";
    expect(operation.responses["default"]).toEqual({ $ref: `#/components/responses/${refusal}` });
    expect(components.responses[refusal]?.headers).toHaveProperty("Retry-After");
    const content = operation.responses[String(route?.answer.status)]?.content ?? {};
    const expected = [
      ...(route?.answer.schema === null ? [] : [route?.answer.type ?? "application/json"]),
      ...(route?.streams === true ? ["text/event-stream"] : []),
    ];
    expect(Object.keys(content)).toEqual(expected);
  });
});

test("numbers in queries are described with their bounds", () => {
  const list = paths["/api/v1/conversations"]?.["get"];
  expect(list?.parameters.find(({ name }) => name === "limit")?.schema).toEqual({
    type: "integer",
    minimum: 1,
    maximum: 100,
    default: 20,
  });
});

test("each event is described by its name", () => {
  const { oneOf } = z.object({ oneOf: z.array(z.object({ title: z.string() })) }).parse(components.schemas["Event"]);
  const names = conversationEventSchema.options.map((option) => option.shape.event.value);
  expect(oneOf.map(({ title }) => title)).toEqual(names);
});

test("responses may gain members: no schema forbids additional ones", () => {
  expect(JSON.stringify(components)).not.toContain('"additionalProperties":false');
});
