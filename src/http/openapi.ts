// The description of the HTTP interface, made of the routes and the schemas that validate them.

import * as z from "zod";
import { problemSchema } from "../protocol/fault.ts";
import type { Route } from "./route.ts";

type Json = Record<string, unknown>;

export function openApi(routes: readonly Route[]): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method] = operation(route);
  return {
    openapi: "3.1.0",
    info: {
      title: "Orrery",
      version: "1",
      description:
        "Conversations that several agents carry out together. Sockets and frames are described in docs/protocol.md.",
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }, {}],
    paths,
    components: {
      schemas: { Problem: schemaOf(problemSchema, "output") },
      securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
    },
  };
}

function operation({ method, path, tag, summary, query, body, answer, streams }: Route): Json {
  return {
    operationId: `${method}_${path.replaceAll(/[^a-z0-9]+/gi, "_")}`,
    tags: [tag],
    summary,
    parameters: [...pathParameters(path), ...(query === null ? [] : queryParameters(query))],
    ...(body === null ? {} : { requestBody: { required: true, content: json(schemaOf(body, "input")) } }),
    responses: {
      [answer.status]: {
        description: answer.description,
        content: {
          ...(answer.schema === null ? {} : json(schemaOf(answer.schema, "output"))),
          ...(streams
            ? { "text/event-stream": { schema: { type: "string", description: "`id: seq`, `data: frame`" } } }
            : {}),
        },
      },
      default: {
        description: "What went wrong, and what to do",
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  };
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(query: z.ZodObject): Json[] {
  const { properties = {}, required = [] } = schemaOf(query, "input") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

function json(schema: Json): Json {
  return { "application/json": { schema } };
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}
