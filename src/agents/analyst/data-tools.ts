// Adapts the data tools of `src/datasets` to the analyst.

import * as z from "zod";
import type { Data } from "../../datasets/data.ts";
import { registry } from "../../datasets/tools/all.ts";
import type { ToolInfo, Tools } from "./tools.ts";

let known: readonly ToolInfo[] | undefined;

/** Returns the tools bound to one person's data. The tool descriptions are computed once per isolate and shared. */
export function toolsOver(data: Data): Tools {
  known ??= registry.tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters: z.toJSONSchema(parameters, { io: "input", unrepresentable: "any" }),
  }));
  return { infos: known, call: (name, args) => registry.call(name, args, data) };
}
