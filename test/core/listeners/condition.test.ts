import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCondition } from "../../../src/protocol/workflows/condition.ts";
import { evaluateCondition } from "../../../src/protocol/workflows/evaluate-condition.ts";
import {
  WORKFLOW_TASK_STATUSES,
  type WorkflowTaskContext,
  type WorkflowTaskStatus,
} from "../../../src/protocol/workflows/workflow-template.ts";

const STATUS: Record<string, WorkflowTaskStatus> = { "002": "Done", "003": "Running", "t-4": "Error" };
const CONTEXT: Record<string, WorkflowTaskContext> = {
  "002": {
    level: 5,
    grade: "P5",
    open: true,
    shut: false,
    "a.b": 1,
    address: { city: "Paris", zip: ["75001"] },
    code: "7",
  },
};
const tasks = { status: (id: string) => STATUS[id], context: (id: string) => CONTEXT[id] };

function isMet(text: string, triggers: readonly string[] = ["002"]): boolean {
  const parsed = parseCondition(text);
  if (parsed.kind === "wrong") throw new Error(`${parsed.column}: ${parsed.message}`);
  return evaluateCondition(parsed.condition, triggers, tasks);
}

describe("condition", () => {
  test.each([
    ["Done", true],
    ["done", true],
    ["completed", true],
    ["Running", false],
    ["Any", true],
    ["any", true],
    ["true", true],
    ["false", false],
    ["'Done'", true],
    ["Done || Error", true],
    ["002.status == Done", true],
    ['002.status == "Done"', true],
    ["002.status=='Done'", true],
    ["002.status = Done", true],
    ["002.status === 'Done'", true],
    ["002.status != Done", false],
    ["002.status <> Done", false],
    ["Done == 002.status", true],
    ["status == Done", true],
    ["002 == Done", true],
    ["t-4.status == failed", true],
    ["002.status == Done && 003.status == Done", false],
    ["002.status == Done && 003.status != Done", true],
    ["002.status == Done and not 003.status == Done", true],
    ["002.status == Error || 003.status == Running", true],
    ["002.status == Error OR 003.status == Running AND 002.status == Done", true],
    ["(002.status == Done || 003.status == Done) && t-4.status == Done", false],
    ["002.status == Done || 003.status == Done && t-4.status == Done", true],
    ["!(002.status == Error)", true],
    ["!!Done", true],
    ["002.status == 003.status", false],
    ["002.context.level >= 5", true],
    ["002.context.level > 5", false],
    ["10 > 002.context.level", true],
    ["002.context.level == '5'", true],
    ["002.context.code == 7", true],
    ["002.context.grade == P5", true],
    ["002.context.grade != 'P6'", true],
    ["002.context.grade < P6", true],
    ["002.context.grade > 3", false],
    ["002.context.open", true],
    ["002.context.open == true", true],
    ["002.context.shut", false],
    ["!002.context.absent", true],
    ["002.context.absent == P5", false],
    ["002.context.absent != P5", true],
    ["002.context.absent > 0", false],
    ["002.context.constructor", false],
    ["002.context.a.b == 1", true],
    ["002.context.address.city == Paris", true],
    ["002.context.address.zip.0 == 75001", true],
    ["003.context.level == 5", false],
  ])("%s evaluates to %s", (text, met) => {
    expect(isMet(text)).toBe(met);
  });

  test("applies a bare status to every trigger task", () => {
    expect(isMet("Done", ["002", "003"])).toBe(false);
    expect(isMet("!Error", ["002", "003"])).toBe(true);
    expect(isMet("status != Error", ["002", "t-4"])).toBe(false);
  });

  test.each([
    ["", 1, "is empty"],
    ["Finished", 1, "“Finished” is no status"],
    ["002.status == Finished", 15, "“Finished” is no status"],
    ["002.status ==", 14, "ends too early"],
    ["002.status", 1, "has to be compared with a status"],
    ["002.status < Done", 12, "== or != alone"],
    ["(Done", 6, "the parenthesis of column 1 is not closed"],
    ["Done)", 5, "“)” is not expected here"],
    ["Done && ", 9, "ends too early"],
    ["Done & Error", 6, "“&” is not expected here"],
    ["Done Error", 6, "“Error” is not expected here"],
    ["&& Done", 1, "“&&” is not expected here"],
    ["task.002.status == Done", 1, "“task.002.status” is not what a task has"],
    ["Any && 3 < 002.result.x", 8, "“002.result.x” is not what a task has"],
    ["Done; process.exit()", 5, "“;” is not expected here"],
    ["002.context.x == `1`", 18, "“`” is not expected here"],
    [`${"(".repeat(60)}Done`, 51, "nests deeper than 50 levels"],
  ])("rejects %j at column %i: %s", (text, column, words) => {
    const parsed = parseCondition(text);
    expect(parsed).toMatchObject({ kind: "wrong", column, message: expect.stringContaining(words) as string });
  });

  test("returns the referenced tasks with their columns", () => {
    const parsed = parseCondition("002.status == Done && 9.context.x > 1 || Error");
    expect(parsed).toMatchObject({
      references: [
        { task_id: "002", column: 1 },
        { task_id: "9", column: 23 },
      ],
    });
  });

  test("parses or rejects any text quickly", () => {
    const piece = fc.constantFrom(
      "002.status",
      "==",
      "&&",
      "||",
      "!",
      "(",
      ")",
      "Done",
      "'x'",
      "5",
      "002.context.a",
      " ",
      ".",
      "é",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((parts) => parts.join(" ")),
        ),
        (text) => {
          const parsed = parseCondition(text);
          if (parsed.kind === "parsed")
            expect(typeof evaluateCondition(parsed.condition, ["002"], tasks)).toBe("boolean");
          else expect(parsed.column).toBeGreaterThan(0);
        },
      ),
    );
  });

  test("evaluates nested expressions like their parts", () => {
    const leaf = fc
      .tuple(
        fc.constantFrom("002", "003", "t-4"),
        fc.constantFrom("==", "!="),
        fc.constantFrom(...WORKFLOW_TASK_STATUSES),
      )
      .map(([id, sign, status]) => ({
        text: `${id}.status ${sign} ${status}`,
        met: (STATUS[id] === status) === (sign === "=="),
      }));
    const { tree } = fc.letrec<{ tree: { text: string; met: boolean } }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        leaf,
        fc
          .tuple(tie("tree"), tie("tree"))
          .map(([a, b]) => ({ text: `(${a.text}) && (${b.text})`, met: a.met && b.met })),
        fc
          .tuple(tie("tree"), tie("tree"))
          .map(([a, b]) => ({ text: `(${a.text}) || (${b.text})`, met: a.met || b.met })),
        tie("tree").map((of) => ({ text: `!(${of.text})`, met: !of.met })),
      ),
    }));
    fc.assert(fc.property(tree, ({ text, met }) => isMet(text) === met));
  });
});
