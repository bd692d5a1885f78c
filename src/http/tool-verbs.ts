// What a user can ask about the tools that were written for them.

import { fromDirectory } from "../directory/availability.ts";
import { listTools, removeTool, toolWithVersions, type ToolsWanted } from "../directory/tools.ts";
import type { Env } from "../env.ts";
import { Fault } from "../protocol/fault.ts";
import { TOOL_NAME, type ToolPage, type ToolWithVersions } from "../protocol/tools.ts";
import { cursorOf, placeIn } from "./cursor.ts";
import { isOfForm } from "./ids.ts";

export function toolVerbsOf(env: Env, userId: string) {
  /** What no tool can be called names nothing. */
  const named = (name: string): string => {
    if (!isOfForm(name, TOOL_NAME)) throw new Fault("not_found", "There is no such tool.");
    return name;
  };

  return {
    /** The newest first; what is searched for a text, the best match first. */
    async listTools(limit: number, cursor?: string, wanted: ToolsWanted = {}): Promise<ToolPage> {
      const after = cursor === undefined ? null : placeIn(cursor);
      const { tools, next } = await fromDirectory(listTools(env.DB, userId, limit, after, wanted));
      return { tools, next_cursor: next === null ? null : cursorOf(next.at, next.id) };
    },

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
