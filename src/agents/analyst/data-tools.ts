// Adapts the data tools of `src/datasets` to the analyst.

import * as z from "zod";
import type { DatasetReader } from "../../datasets/dataset-reader.ts";
import { dataToolRegistry } from "../../datasets/tools/all-data-tools.ts";
import type { ToolInfo, AnalystTools } from "./tools.ts";

let cachedInfos: readonly ToolInfo[] | undefined;

/**
 * Returns the tools bound to one person's data. The tool descriptions are computed once per isolate and shared. Calls
 * ignore their signal.
 */
export function createDataTools(data: DatasetReader): AnalystTools {
  cachedInfos ??= dataToolRegistry.tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters: z.toJSONSchema(parameters, { io: "input", unrepresentable: "any" }),
  }));
  return { infos: cachedInfos, call: (name, args) => dataToolRegistry.call(name, args, data) };
}
