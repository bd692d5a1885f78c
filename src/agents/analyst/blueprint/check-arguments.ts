// Validates the arguments that a blueprint passes to a tool against the tool's JSON Schema.

import * as z from "zod";
import type { BlueprintProblem } from "./blueprint-problem.ts";
import { findReferences } from "./value-references.ts";
import type { ToolInfo } from "../tools.ts";

/**
 * Returns a problem for each missing or unknown argument and at most three for each invalid one; an empty list if all
 * are valid. Arguments that contain references are not checked against the schema, because their values are known only
 * during execution. `place` is the path of the arguments in the blueprint.
 */
export function checkToolArguments(
  { name, parameters }: ToolInfo,
  args: Readonly<Record<string, unknown>>,
  place: string,
): BlueprintProblem[] {
  const properties = toRecord(parameters["properties"]);
  const required = Array.isArray(parameters["required"]) ? parameters["required"].map(String) : [];
  const names = Object.keys(properties);
  const missing = required.filter((parameter) => args[parameter] === undefined);
  const invalid = Object.entries(args).flatMap(([parameter, value]) => {
    const at = `${place}.${parameter}`;
    const schema = Object.hasOwn(properties, parameter) ? properties[parameter] : undefined;
    if (schema === undefined) {
      if (parameters["additionalProperties"] === true) return [];
      return [
        { place: at, message: `${name} has no parameter ${parameter}. It takes: ${names.join(", ") || "nothing"}.` },
      ];
    }
    if (findReferences(value, "").length > 0) return [];
    return checkArgumentValue({ ...toRecord(schema), $defs: parameters["$defs"] ?? {} }, value, at);
  });
  return [
    ...missing.map((parameter) => ({ place: `${place}.${parameter}`, message: `${name} needs ${parameter}.` })),
    ...invalid,
  ];
}

/** Returns at most three problems of one literal value. */
function checkArgumentValue(
  schema: Readonly<Record<string, unknown>>,
  value: unknown,
  place: string,
): BlueprintProblem[] {
  const parsed = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(value);
  if (parsed.success) return [];
  return parsed.error.issues
    .slice(0, 3)
    .map(({ path, message }) => ({ place: [place, ...path.map(String)].join("."), message }));
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
