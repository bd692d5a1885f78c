// What the toolsmith has written. Everything answered is validated.

import {
  toolPageSchema,
  toolWithVersionsSchema,
  type ToolCategory,
  type ToolPage,
  type ToolWithVersions,
} from "../protocol/tools.ts";
import { doorOf, pathOf, queryOf, type ApiOptions } from "./door.ts";

export type Tools = {
  /** The newest first; those that match `q`, the best first. */
  listTools(page?: { q?: string; category?: ToolCategory; limit?: number; cursor?: string }): Promise<ToolPage>;
  /** As it is, or as an older version of it was. */
  tool(name: string, version?: number): Promise<ToolWithVersions>;
  deleteTool(name: string): Promise<void>;
};

export function createToolsApi(options: ApiOptions): Tools {
  const { call } = doorOf(options);
  const at = (name: string, part?: string) => pathOf("tools", name, part);
  return {
    listTools: async (page = {}) => toolPageSchema.parse(await call("GET", `/api/v1/tools${queryOf(page)}`)),
    tool: async (name, version) => toolWithVersionsSchema.parse(await call("GET", at(name, queryOf({ version })))),
    deleteTool: async (name) => void (await call("DELETE", at(name))),
  };
}
