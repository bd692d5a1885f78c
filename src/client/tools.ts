// Client calls for the tools that the toolsmith has written. Each response is validated.

import {
  toolListSchema,
  toolWithVersionsSchema,
  type ToolCategory,
  type ToolList,
  type ToolWithVersions,
} from "../protocol/tools/stored-tool.ts";
import { createHttpClient, buildResourcePath, buildQueryString, type ApiOptions } from "./http-client.ts";

/** All methods reject with a `Fault`, or with a `ZodError` if the response does not match its schema. */
export type ToolsClient = {
  /** Lists tools, newest first; with `q`, the best match first. */
  listTools(page?: { q?: string; category?: ToolCategory; limit?: number; cursor?: string }): Promise<ToolList>;
  /** Returns the current version of a tool, or the given one. */
  tool(name: string, version?: number): Promise<ToolWithVersions>;
  /** Deletes a tool with all its versions. */
  deleteTool(name: string): Promise<void>;
};

/** Creates the calls for tools. Sends nothing until a method is called. */
export function createToolsApi(options: ApiOptions): ToolsClient {
  const { call } = createHttpClient(options);
  const at = (name: string, part?: string) => buildResourcePath("tools", name, part);
  return {
    listTools: async (page = {}) => toolListSchema.parse(await call("GET", `/api/v1/tools${buildQueryString(page)}`)),
    tool: async (name, version) =>
      toolWithVersionsSchema.parse(await call("GET", at(name, buildQueryString({ version })))),
    deleteTool: async (name) => void (await call("DELETE", at(name))),
  };
}
