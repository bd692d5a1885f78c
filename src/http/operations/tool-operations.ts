// Operations on the tools of a user. The directory stores them.

import { requireDirectory } from "../../directory/directory-availability.ts";
import { listTools, removeTool, getToolWithVersions, type ToolFilter } from "../../directory/tool-directory.ts";
import type { Env } from "../../env.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { TOOL_NAME_PATTERN, type ToolList, type ToolWithVersions } from "../../protocol/tools/stored-tool.ts";
import { encodeCursor, decodeCursor } from "./list-cursor.ts";
import { matchesIdFormat } from "./id-validation.ts";

/** Creates the operations for one user. */
export function createToolOperations(env: Env, userId: string) {
  /** Returns the name. Throws `not_found` if no tool can have it. */
  const checkToolName = (name: string): string => {
    if (!matchesIdFormat(name, TOOL_NAME_PATTERN)) throw createFault("not_found", "tool.notFound");
    return name;
  };

  return {
    /** Returns a page of the list, newest first; with a search text, the best matches first. */
    async listTools(limit: number, cursor?: string, filter: ToolFilter = {}): Promise<ToolList> {
      const after = cursor === undefined ? null : decodeCursor(cursor);
      const { tools, next } = await requireDirectory(listTools(env.DB, userId, limit, after, filter));
      return { tools, next_cursor: next === null ? null : encodeCursor(next.at, next.id) };
    },

    /** Returns a version of a tool, the current one by default. Throws `not_found`. */
    async tool(name: string, version?: number): Promise<ToolWithVersions> {
      const tool = await requireDirectory(getToolWithVersions(env.DB, userId, checkToolName(name), version));
      if (tool === null) throw createFault("not_found", "tool.notFound");
      return tool;
    },

    /** Deletes a tool with all its versions. Throws `not_found`. */
    async deleteTool(name: string): Promise<{ name: string; deleted: true }> {
      if (!(await requireDirectory(removeTool(env.DB, userId, checkToolName(name))))) {
        throw createFault("not_found", "tool.notFound");
      }
      return { name, deleted: true };
    },
  };
}
