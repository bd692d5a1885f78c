// HTTP routes of tools.

import * as z from "zod";
import { toolCategorySchema, toolPageSchema, toolWithVersionsSchema } from "../protocol/tools.ts";
import { route, wholeNumber } from "./route.ts";

export const toolRoutes = [
  route({
    method: "get",
    path: "/api/v1/tools",
    tag: "Tools",
    summary: "Your tools, newest first; with `q` those that match it, the best first",
    query: z.strictObject({
      q: z.string().max(2_000).optional(),
      category: toolCategorySchema.optional(),
      limit: wholeNumber(20, { min: 1, max: 100 }),
      cursor: z.string().optional(),
    }),
    answer: { status: 200, description: "A page of tools, without their code", schema: toolPageSchema },
    handle: ({ verbs, query: { limit, cursor, q, category } }) => verbs.listTools(limit, cursor, { text: q, category }),
  }),
  route({
    method: "get",
    path: "/api/v1/tools/{name}",
    tag: "Tools",
    summary: "One tool with its code, as it is or as an older version of it was",
    query: z.strictObject({
      version: wholeNumber(1, { min: 1, max: Number.MAX_SAFE_INTEGER }).unwrap().optional(),
    }),
    answer: { status: 200, description: "The tool, and which versions there are", schema: toolWithVersionsSchema },
    handle: ({ verbs, params, query }) => verbs.tool(params.name, query.version),
  }),
  route({
    method: "delete",
    path: "/api/v1/tools/{name}",
    tag: "Tools",
    summary: "Delete a tool with all its versions",
    answer: {
      status: 200,
      description: "It is gone",
      schema: z.object({ name: z.string(), deleted: z.literal(true) }),
    },
    handle: ({ verbs, params }) => verbs.deleteTool(params.name),
  }),
];
