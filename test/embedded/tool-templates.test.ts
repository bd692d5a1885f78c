// Every tool that the embedded model can write, executed in the isolate of the sandbox.

import { describe, expect, test } from "vitest";
import { findSchemaViolation } from "../../src/agents/kit/tools/json-schema.ts";
import { parseParameters, parseSchema } from "../../src/agents/toolsmith/tool-schema.ts";
import { ALL_TEMPLATES } from "../../src/embedded/toolsmith/template-catalogue.ts";
import type { ToolTemplate } from "../../src/embedded/toolsmith/tool-template.ts";
import { TOOL_CATEGORIES } from "../../src/protocol/tools/stored-tool.ts";
import { checkProgram } from "../../src/sandbox/check-program.ts";
import type { SandboxValue, SandboxOutcome } from "../../src/sandbox/sandbox.ts";
import { createIsolate } from "../sandbox/plain/run-in-vm.ts";
import { CORPUS } from "./toolsmith-corpus.ts";
import { EDGE_CASES } from "./toolsmith-edge-cases.ts";

type ToolArguments = Readonly<Record<string, SandboxValue>>;

const isolate = createIsolate();

function findTemplate(name: string): ToolTemplate {
  const found = ALL_TEMPLATES.find((template) => template.name === name);
  if (found === undefined) throw new Error(`There is no template ${name}`);
  return found;
}

const parseTemplateParameters = ({ parameters }: ToolTemplate) => {
  const parsed = parseParameters(parameters);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.schema;
};

function compileTemplate(template: ToolTemplate): string {
  const verdict = checkProgram(
    template.code,
    Object.keys(parseTemplateParameters(template)["properties"] as object),
    template.name,
  );
  if (!verdict.ok) throw new Error(JSON.stringify(verdict.issues));
  return verdict.program.module;
}

/** Returns the result as text after validation against both schemas, or the error after `! `. */
function runTemplate(name: string, args: ToolArguments): string {
  const template = findTemplate(name);
  expect(findSchemaViolation(parseTemplateParameters(template), args)).toBeNull();
  const outcome = JSON.parse(isolate(compileTemplate(template), JSON.stringify(args))) as SandboxOutcome;
  if (outcome.kind === "failed") return `! ${outcome.message}`;
  const returns = parseSchema(template.returns, "returns");
  if (!returns.ok) throw new Error(returns.problem);
  expect(findSchemaViolation(returns.schema, outcome.value)).toBeNull();
  return typeof outcome.value === "string" ? outcome.value : JSON.stringify(outcome.value);
}

/** The tool, arguments and result of every step in the corpus. */
const STEPS = CORPUS.flatMap(([, ...steps]) => steps).flatMap((step): [string, ToolArguments, string][] => {
  const [, name = "", args = "", result = ""] = /^\w+\/(\w+) (\{.*\}) = (.*)$/s.exec(step) ?? [];
  return name === "" ? [] : [[name, JSON.parse(args) as ToolArguments, result]];
});

/** Templates whose results depend on the time or on chance. */
const UNSTABLE =
  /^(?:current_|days_until|random_|age$|date_in_week$|time_zone_difference$|time_away$|convert_time_zone$)/;

describe("the tool templates", () => {
  test("have unique names, and descriptions in both languages", () => {
    expect(new Set(ALL_TEMPLATES.map(({ name }) => name)).size).toBe(ALL_TEMPLATES.length);
    for (const { name, description, category } of ALL_TEMPLATES) {
      expect(name).toMatch(/^[a-z][a-z_]*$/);
      expect(description).toMatch(/^[A-Z].*[a-z].*[\u4e00-\u9fff]/);
      expect(TOOL_CATEGORIES).toContain(category);
    }
  });

  test.each(ALL_TEMPLATES.map((template) => [template.name, template] as const))(
    "[F95] include %s, which passes the check with valid schemas",
    (_, template) => {
      expect(compileTemplate(template)).toContain("export default");
      expect(parseParameters(template.parameters).ok && parseSchema(template.returns, "returns").ok).toBe(true);
      expect(template.code.length).toBeLessThan(6_000);
    },
  );

  test.each(ALL_TEMPLATES.map(({ name }) => name))("include %s, which is tested with two inputs or more", (name) => {
    const inputs = [...STEPS, ...EDGE_CASES].filter(([tool]) => tool === name).map(([, args]) => JSON.stringify(args));
    expect(new Set(inputs).size).toBeGreaterThanOrEqual(
      Object.keys(findTemplate(name).parameters["properties"] as object).length === 0 ? 1 : 2,
    );
  });
});

describe("a tool in the isolate", () => {
  test.each(EDGE_CASES)("computes %s(%j) as %s", (name, args, result) => {
    const actual = runTemplate(name, args);
    if (result.startsWith("!")) expect(actual).toMatch(new RegExp(`^! .*${result.slice(2)}`));
    else expect(actual).toBe(result);
  });

  test.each([...new Set(STEPS.map(([name]) => name))])("returns the results of the corpus: %s", (name) => {
    for (const [, args, result] of STEPS.filter(([tool]) => tool === name)) {
      const actual = runTemplate(name, args);
      if (UNSTABLE.test(name)) expect(actual).not.toMatch(/^!/);
      else expect(actual).toBe(result);
    }
  });

  test("draws random numbers from its whole range", () => {
    const numbers = JSON.parse(runTemplate("random_integer", { min: 1, max: 6, count: 1000 })) as number[];
    expect(new Set(numbers)).toEqual(new Set([1, 2, 3, 4, 5, 6]));
  });
});
