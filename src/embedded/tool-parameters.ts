// Parameters of tools.

import type { ParameterKind, ToolParameter } from "./tools/tool-parameters.ts";

export { listParameters, type ParameterSchema, type ToolParameter } from "./tools/tool-parameters.ts";

export function detectParameterKind({ kind }: ToolParameter): ParameterKind {
  return kind;
}
