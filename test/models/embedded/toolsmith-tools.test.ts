// Every tool that the embedded model can write, in the isolate that will run it.

import { describe, expect, test } from "vitest";
import { findSchemaViolation } from "../../../src/agents/kit/json-schema.ts";
import { parseParameters, parseSchema } from "../../../src/agents/toolsmith/tool-schema.ts";
import { ALL_TEMPLATES } from "../../../src/models/embedded/toolsmith/template-catalogue.ts";
import type { ToolTemplate } from "../../../src/models/embedded/toolsmith/tool-template.ts";
import { TOOL_CATEGORIES } from "../../../src/protocol/tools/stored-tool.ts";
import { checkProgram } from "../../../src/sandbox/check-program.ts";
import type { SandboxValue, SandboxOutcome } from "../../../src/sandbox/sandbox.ts";
import { fresh } from "../../sandbox/plain/vm.ts";
import { CORPUS } from "./toolsmith-corpus.ts";
import { EDGES } from "./toolsmith-edges.ts";

type Args = Readonly<Record<string, SandboxValue>>;

const isolate = fresh();

function named(name: string): ToolTemplate {
  const found = ALL_TEMPLATES.find((template) => template.name === name);
  if (found === undefined) throw new Error(`There is no template ${name}`);
  return found;
}

const parametersOf = ({ parameters }: ToolTemplate) => {
  const read = parseParameters(parameters);
  if (!read.ok) throw new Error(read.problem);
  return read.schema;
};

function checked(template: ToolTemplate): string {
  const verdict = checkProgram(
    template.code,
    Object.keys(parametersOf(template)["properties"] as object),
    template.name,
  );
  if (!verdict.ok) throw new Error(JSON.stringify(verdict.issues));
  return verdict.program.module;
}

/** The result as text, after both schemas have been held against it; or what went wrong. */
function played(name: string, args: Args): string {
  const template = named(name);
  expect(findSchemaViolation(parametersOf(template), args)).toBeNull();
  const outcome = JSON.parse(isolate(checked(template), JSON.stringify(args))) as SandboxOutcome;
  if (outcome.kind === "failed") return `! ${outcome.message}`;
  const returns = parseSchema(template.returns, "returns");
  if (!returns.ok) throw new Error(returns.problem);
  expect(findSchemaViolation(returns.schema, outcome.value)).toBeNull();
  return typeof outcome.value === "string" ? outcome.value : JSON.stringify(outcome.value);
}

/** What the corpus says: tool, arguments and result of every step. */
const STEPS = CORPUS.flatMap(([, ...steps]) => steps).flatMap((step): [string, Args, string][] => {
  const [, name = "", args = "", result = ""] = /^\w+\/(\w+) (\{.*\}) = (.*)$/s.exec(step) ?? [];
  return name === "" ? [] : [[name, JSON.parse(args) as Args, result]];
});

/** Their results depend on the moment or on chance. */
const FLEETING =
  /^(?:current_|days_until|random_|age$|date_in_week$|time_zone_difference$|time_away$|convert_time_zone$)/;

describe("the catalogue", () => {
  test("has names that are all different, and a description in both languages", () => {
    expect(new Set(ALL_TEMPLATES.map(({ name }) => name)).size).toBe(ALL_TEMPLATES.length);
    for (const { name, description, category } of ALL_TEMPLATES) {
      expect(name).toMatch(/^[a-z][a-z_]*$/);
      expect(description).toMatch(/^[A-Z].*[a-z].*[\u4e00-\u9fff]/);
      expect(TOOL_CATEGORIES).toContain(category);
    }
  });

  test.each(ALL_TEMPLATES.map((template) => [template.name, template] as const))(
    "[F95] %s passes the check, and its schemas can be read",
    (_, template) => {
      expect(checked(template)).toContain("export default");
      expect(parseParameters(template.parameters).ok && parseSchema(template.returns, "returns").ok).toBe(true);
      expect(template.code.length).toBeLessThan(6_000);
    },
  );

  test.each(ALL_TEMPLATES.map(({ name }) => name))("%s has been tried on two inputs or more", (name) => {
    const tried = [...STEPS, ...EDGES].filter(([tool]) => tool === name).map(([, args]) => JSON.stringify(args));
    expect(new Set(tried).size).toBeGreaterThanOrEqual(
      Object.keys(named(name).parameters["properties"] as object).length === 0 ? 1 : 2,
    );
  });
});

describe("in the isolate", () => {
  test.each(EDGES)("%s(%j) is %s", (name, args, result) => {
    const got = played(name, args);
    if (result.startsWith("!")) expect(got).toMatch(new RegExp(`^! .*${result.slice(2)}`));
    else expect(got).toBe(result);
  });

  test.each([...new Set(STEPS.map(([name]) => name))])("%s gives what the corpus says", (name) => {
    for (const [, args, result] of STEPS.filter(([tool]) => tool === name)) {
      const got = played(name, args);
      if (FLEETING.test(name)) expect(got).not.toMatch(/^!/);
      else expect(got).toBe(result);
    }
  });

  test("chance stays in its range and reaches all of it", () => {
    const drawn = JSON.parse(played("random_integer", { min: 1, max: 6, count: 1000 })) as number[];
    expect(new Set(drawn)).toEqual(new Set([1, 2, 3, 4, 5, 6]));
  });
});
