// The OpenAPI document is valid, complete and readable.

import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
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

test("the document contains each route once, with a unique operation id", () => {
  const described = operations.map(({ method, path }) => `${method} ${path}`);
  expect(routes.filter((route) => !routeDescriptions.includes(route))).toEqual([]);
  expect(described.toSorted()).toEqual(routeDescriptions.map(({ method, path }) => `${method} ${path}`).toSorted());
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(operations.length);
  expect(names).toContain("getConversationsByIdEvents");
});

/** Bodies that may have further members: those of foreign clients. */
const OPEN_BODY = /^post \/(api\/conversation|api\/workflow|api\/page|v1\/)/;

test.each(operations)("the operation $method $path is described completely", ({ path, method, ...operation }) => {
  const route = routeDescriptions.find((description) => description.path === path && description.method === method);
  if (route === undefined) throw new Error("There is no such route.");
  expect(operation.summary).not.toBe("");
  expect(tags.map(({ name }) => name)).toEqual(expect.arrayContaining(operation.tags));
  expect(operation.security).toEqual(route.isPublic === true ? [] : undefined);
  const listParameters = (at: string) => operation.parameters.filter((one) => one.in === at).map(({ name }) => name);
  expect(listParameters("path")).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  expect(listParameters("query")).toEqual(Object.keys(route.query?.shape ?? {}));
  const content = operation.requestBody?.content ?? {};
  expect(Object.keys(content)).toEqual(
    Object.keys(route.uploads ?? (route.body === null ? {} : { "application/json": 1 })),
  );
  if (route.body !== null) {
    const { example, schema = {} } = content["application/json"] ?? {};
    expect(route.body.safeParse(example)).toMatchObject({ success: true });
    for (const form of (schema["anyOf"] ?? [schema]) as Record<string, unknown>[])
      expect(form["additionalProperties"] === false).toBe(!OPEN_BODY.test(`${method} ${path}`));
  }
  const { answer, errorFormat } = route;
  if (answer.example !== undefined) z.parse(answer.schema ?? z.never(), answer.example);
  if (errorFormat !== undefined) z.parse(errorFormat.schema, errorFormat.example);
  const refusal = path.startsWith("/v1/") ? "OpenAiError" : "Problem";
  expect(operation.responses["default"]).toEqual({ $ref: `#/components/responses/${refusal}` });
  expect(components.responses[refusal]?.headers).toHaveProperty("Retry-After");
  expect(Object.keys(operation.responses[String(answer.status)]?.content ?? {})).toEqual([
    ...(answer.schema === null ? [] : [answer.type ?? "application/json"]),
    ...(route.streams ? ["text/event-stream"] : []),
  ]);
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
