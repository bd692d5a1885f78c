// Client calls for the tools that the toolsmith has written. Each response is validated.

import {
  toolPageSchema,
  toolWithVersionsSchema,
  type ToolCategory,
  type ToolPage,
  type ToolWithVersions,
} from "../protocol/tools.ts";
import { doorOf, pathOf, queryOf, type ApiOptions } from "./door.ts";

/** All methods reject with a `Fault`, or with a `ZodError` if the response does not match its schema. */
export type Tools = {
  /** Lists tools, newest first; with `q`, the best match first. */
  listTools(page?: { q?: string; category?: ToolCategory; limit?: number; cursor?: string }): Promise<ToolPage>;
  /** Returns the current version of a tool, or the given one. */
  tool(name: string, version?: number): Promise<ToolWithVersions>;
  deleteTool(name: string): Promise<void>;
};

/** Creates the calls for tools. Sends nothing until a method is called. */
export function createToolsApi(options: ApiOptions): Tools {
  const { call } = doorOf(options);
  const at = (name: string, part?: string) => pathOf("tools", name, part);
  return {
    listTools: async (page = {}) => toolPageSchema.parse(await call("GET", `/api/v1/tools${queryOf(page)}`)),
    tool: async (name, version) => toolWithVersionsSchema.parse(await call("GET", at(name, queryOf({ version })))),
    deleteTool: async (name) => void (await call("DELETE", at(name))),
  };
}
