// HTTP routes of tools.

import * as z from "zod";
import { toolCategorySchema, toolListSchema, toolWithVersionsSchema } from "../../protocol/tools/stored-tool.ts";
import { defineRoute, createIntegerParameter } from "../define-route.ts";

export const toolRoutes = [
  defineRoute({
    method: "get",
    path: "/api/v1/tools",
    tag: "Tools",
    summary: "List your tools, newest first; with `q`, the matching ones, best match first",
    query: z.strictObject({
      q: z.string().max(2_000).optional(),
      category: toolCategorySchema.optional(),
      limit: createIntegerParameter(20, { min: 1, max: 100 }),
      cursor: z.string().optional(),
    }),
    answer: { status: 200, description: "A page of tools without their code", schema: toolListSchema },
    handle: ({ operations, query: { limit, cursor, q, category } }) =>
      operations.listTools(limit, cursor, { text: q, category }),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/tools/{name}",
    tag: "Tools",
    summary: "Get a tool with its code, by default in its current version",
    query: z.strictObject({
      version: createIntegerParameter(1, { min: 1, max: Number.MAX_SAFE_INTEGER }).unwrap().optional(),
    }),
    answer: { status: 200, description: "The tool with the list of its versions", schema: toolWithVersionsSchema },
    handle: ({ operations, params, query }) => operations.tool(params.name, query.version),
  }),
  defineRoute({
    method: "delete",
    path: "/api/v1/tools/{name}",
    tag: "Tools",
    summary: "Delete a tool with all its versions",
    answer: {
      status: 200,
      description: "The tool was deleted",
      schema: z.object({ name: z.string(), deleted: z.literal(true) }),
    },
    handle: ({ operations, params }) => operations.deleteTool(params.name),
  }),
];
