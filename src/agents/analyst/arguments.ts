// Whether the arguments that a blueprint gives a tool can be right: references are known only when it is carried out.

import { Validator, type Schema } from "@cfworker/json-schema";
import type { Problem } from "./blueprint-check.ts";
import { referencesIn } from "./references.ts";
import type { ToolInfo } from "./tools.ts";

export function argumentProblems(
  { name, parameters }: ToolInfo,
  args: Readonly<Record<string, unknown>>,
  place: string,
): Problem[] {
  const properties = recordOf(parameters["properties"]);
  const required = Array.isArray(parameters["required"]) ? parameters["required"].map(String) : [];
  const names = Object.keys(properties);
  const missing = required.filter((parameter) => args[parameter] === undefined);
  const wrong = Object.entries(args).flatMap(([parameter, value]) => {
    const at = `${place}.${parameter}`;
    const schema = properties[parameter];
    if (schema === undefined) {
      if (parameters["additionalProperties"] === true) return [];
      return [
        { place: at, message: `${name} has no parameter ${parameter}. It takes: ${names.join(", ") || "nothing"}.` },
      ];
    }
    if (referencesIn(value, "").length > 0) return [];
    const problem = problemWith({ ...recordOf(schema), $defs: parameters["$defs"] ?? {} }, value);
    return problem === null ? [] : [{ place: at, message: problem }];
  });
  return [
    ...missing.map((parameter) => ({ place: `${place}.${parameter}`, message: `${name} needs ${parameter}.` })),
    ...wrong,
  ];
}

function problemWith(schema: Readonly<Record<string, unknown>>, value: unknown): string | null {
  const { valid, errors } = new Validator(schema as Schema, "2020-12", false).validate(value);
  if (valid) return null;
  const told = errors.filter(({ keyword }) => keyword !== "properties" && keyword !== "items");
  return (told.length === 0 ? errors : told)
    .slice(0, 3)
    .map(({ instanceLocation, error }) => [instanceLocation.replace(/^#\/?/, ""), error].filter(Boolean).join(": "))
    .join(" ");
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
