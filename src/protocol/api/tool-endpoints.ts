// The endpoints of the tools that the toolsmith has written.

import * as z from "zod";
import { toolCategorySchema, toolListSchema, toolWithVersionsSchema } from "../tools/stored-tool.ts";
import { defineEndpoints, pageQuerySchema, versionQuerySchema } from "./endpoint.ts";

export const toolEndpoints = defineEndpoints({
  /** Lists tools, newest first; with `q`, the best match first. */
  listTools: {
    method: "get",
    path: "/api/v1/tools",
    query: z.strictObject({
      q: z.string().max(2_000).optional(),
      category: toolCategorySchema.optional(),
      ...pageQuerySchema.shape,
    }),
    output: toolListSchema,
  },
  /** Returns the current version of a tool, or the given one. */
  tool: { method: "get", path: "/api/v1/tools/{name}", query: versionQuerySchema, output: toolWithVersionsSchema },
  /** Deletes a tool with all its versions. */
  deleteTool: {
    method: "delete",
    path: "/api/v1/tools/{name}",
    output: z.object({ name: z.string(), deleted: z.literal(true) }),
  },
});
