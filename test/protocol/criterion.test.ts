// The rules that decide whether a criterion proves anything, and its evaluation.

import { describe, expect, test } from "vitest";
import { evaluateCriterion, findCriterionProblem } from "../../src/protocol/plans/judge-criterion.ts";

const problem = (query: string, holds: string, args: Record<string, string | number> = { id: "R17" }) =>
  findCriterionProblem({ tool: "get", arguments: args, holds }, query, []);

describe("findCriterionProblem()", () => {
  test.each([
    ["Set the price of R17 to 12.50", "result.price == 12.5"],
    ["Set the price of R17 to 1,200", "result.price == 1200"],
    ["Mark R17 as paid", 'result.status == "paid"'],
    ["Cancel order R17", "result.status == CANCELLED and result.found == true"],
    ["Rename R17 to “Ada’s desk”", 'result.name == "Ada’s desk"'],
    ["Move R17 to 1 December", 'result.due == "2026-12-01"'],
    ["把 R17 的数量改为 7", "result.count == 7"],
    ["Add the tag vip to R17", "result.tags contains vip"],
    ["Raise R17 to at least 5", "result.level >= 5"],
  ])("accepts a criterion of “%s”: %s", (query, holds) => {
    expect(problem(query, holds)).toBeNull();
  });

  test.each([
    ["another value", "Set R17 to 5", "result.value == 4"],
    ["a name that was not given", "Make Ada the owner of R17", 'result.owner == "Eve Evil"'],
    ["a missing value", "Set R17 to 5", "result.found == true"],
    ["a missing quotation", "Rename R17 to “Ada”", "result.found == true"],
    ["an alternative", "Set R17 to 5", "result.value == 5 or result.value == 4"],
    ["a negation", "Set R17 to 5", "not result.value == 5"],
    ["an inequality", "Set R17 to 5", "result.value != 5"],
    ["a constant", "Set R17 to 5", "true"],
    ["no result", "Set R17 to 5", "001.context.value == 5"],
    ["a status", "Set R17 to 5", "Done"],
    ["a syntax error", "Set R17 to 5", "result.value =="],
  ])("refuses %s", (_name, query, holds) => {
    expect(problem(query, holds)).toEqual(expect.any(String));
  });

  test("refuses a lookup of another subject", () => {
    expect(problem("Set R17 to 5", "result.value == 5", { id: "R18" })).toContain("subject");
    expect(problem("Set R17 to 5", "result.value == 5", { id: "R17" })).toBeNull();
  });

  test("without arguments the condition must name the subject", () => {
    expect(problem("Use the dark theme", "result.theme == dark", {})).toBeNull();
    expect(problem("Use the dark theme", "result.theme == light", {})).toContain("subject");
  });
});

describe("evaluateCriterion()", () => {
  test.each([
    ['result.value == 5 and result.name == "Ada"', '{"value":5,"name":"Ada"}', true],
    ["result.value == 5", '{"value":"5"}', true],
    ["result.items.0.id == R17", '{"items":[{"id":"R17"}]}', true],
    ["result.tags contains vip", '{"tags":["new","VIP"]}', false],
    ["result.tags contains vip", '{"tags":["vip"]}', true],
    ["result contains “paid”", "Order 17 is PAID.", false],
    ['result contains "paid"', "Order 17 is PAID.", true],
    ["result.value == 5", "Error: not found", false],
    ["result.value ==", '{"value":5}', false],
  ])("%s on %s is %s", (holds, result, expected) => {
    expect(evaluateCriterion({ holds }, result)).toBe(expected);
  });
});
