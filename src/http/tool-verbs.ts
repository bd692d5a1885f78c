// Operations on the tools of a user. The directory stores them.

import { fromDirectory } from "../directory/availability.ts";
import { listTools, removeTool, toolWithVersions, type ToolsWanted } from "../directory/tools.ts";
import type { Env } from "../env.ts";
import { Fault } from "../protocol/fault.ts";
import { TOOL_NAME, type ToolPage, type ToolWithVersions } from "../protocol/tools.ts";
import { cursorOf, placeIn } from "./cursor.ts";
import { isOfForm } from "./ids.ts";

/** Creates the operations for one user. */
export function toolVerbsOf(env: Env, userId: string) {
  /** Returns the name. Throws `not_found` if no tool can have it. */
  const named = (name: string): string => {
    if (!isOfForm(name, TOOL_NAME)) throw new Fault("not_found", "There is no such tool.");
    return name;
  };

  return {
    /** Returns a page of the list, newest first; with a search text, the best matches first. */
    async listTools(limit: number, cursor?: string, wanted: ToolsWanted = {}): Promise<ToolPage> {
      const after = cursor === undefined ? null : placeIn(cursor);
      const { tools, next } = await fromDirectory(listTools(env.DB, userId, limit, after, wanted));
      return { tools, next_cursor: next === null ? null : cursorOf(next.at, next.id) };
    },

    /** Returns a version of a tool, the current one by default. Throws `not_found`. */
    async tool(name: string, version?: number): Promise<ToolWithVersions> {
      const tool = await fromDirectory(toolWithVersions(env.DB, userId, named(name), version));
      if (tool === null) throw new Fault("not_found", "There is no such tool.");
      return tool;
    },

    async deleteTool(name: string): Promise<{ name: string; deleted: true }> {
      if (!(await fromDirectory(removeTool(env.DB, userId, named(name))))) {
        throw new Fault("not_found", "There is no such tool.");
      }
      return { name, deleted: true };
    },
  };
}
