// Operations on the tools of a user. The directory stores them.

import { openDirectory } from "../../directory/open-directory.ts";
import { requireDirectory } from "../../directory/directory-availability.ts";
import { getToolWithVersions, listTools, removeTool } from "../../directory/tool-directory.ts";
import type { PageQuery } from "../../protocol/api/endpoint.ts";
import { toolEndpoints } from "../../protocol/api/tool-endpoints.ts";
import { TOOL_NAME_PATTERN, type ToolCategory } from "../../protocol/tools/stored-tool.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { matchesIdFormat } from "./id-validation.ts";
import { decodeCursor, encodeCursor } from "./list-cursor.ts";
import { defineOperation } from "./operation.ts";

const tag = "Tools";

export const toolOperations = {
  /** Lists newest first; with `q`, the best matches first. */
  listTools: defineOperation(toolEndpoints.listTools, {
    http: {
      tag,
      summary: "List your tools, newest first; with `q`, the matching ones, best match first",
      answer: "A page of tools without their code",
    },
    rpc: (options?: PageQuery & { q?: string; category?: ToolCategory }) => ({ query: options }),
    async run({ env, userId }, { query: { limit, cursor, q, category } }) {
      const after = decodeCursor(cursor);
      const { tools, next } = await requireDirectory(
        listTools(openDirectory(env.DB), userId, limit, after, { text: q, category }),
      );
      return { tools, next_cursor: next === null ? null : encodeCursor(next.at, next.id) };
    },
  }),
  /** Returns the current version of a tool, or the given one. */
  tool: defineOperation(toolEndpoints.tool, {
    http: {
      tag,
      summary: "Get a tool with its code, by default in its current version",
      answer: "The tool with the list of its versions",
    },
    rpc: (tool: string, version?: number) => ({ name: tool, query: { version } }),
    async run({ env, userId }, { name, query: { version } }) {
      const tool = await requireDirectory(
        getToolWithVersions(openDirectory(env.DB), userId, checkToolName(name), version),
      );
      if (tool === null) throw createFault("not_found", "tool.notFound");
      return tool;
    },
  }),
  /** Deletes a tool with all its versions. */
  deleteTool: defineOperation(toolEndpoints.deleteTool, {
    http: { tag, summary: "Delete a tool with all its versions", answer: "The tool was deleted" },
    rpc: (tool: string) => ({ name: tool }),
    async run({ env, userId }, { name }) {
      if (!(await requireDirectory(removeTool(openDirectory(env.DB), userId, checkToolName(name)))))
        throw createFault("not_found", "tool.notFound");
      return { name, deleted: true as const };
    },
  }),
};

/** Returns the name. Throws `not_found` if no tool can have it. */
function checkToolName(name: string): string {
  if (!matchesIdFormat(name, TOOL_NAME_PATTERN)) throw createFault("not_found", "tool.notFound");
  return name;
}
