// The data tools of analyses, and their name suggestions.

import * as z from "zod";
import { describe, expect, test } from "vitest";
import { findSimilarNames } from "../../src/language/similar-names.ts";
import { dataToolRegistry } from "../../src/datasets/tools/all-data-tools.ts";
import { createDataTool, createDataToolRegistry } from "../../src/datasets/tools/data-tool.ts";
import { Fault } from "../../src/protocol/wire/fault.ts";
import { openLibrary } from "../support/dataset-library.ts";
import { getCpuMs } from "../support/cpu-time.ts";

const library = openLibrary();
const { data } = library;
library.add(
  "成绩",
  "班级,姓名,日期,成绩\n一班,甲,2026-03-02,85\n一班,乙,2026-03-09,\n二班,丙,2026-04-01,58\n二班,丁,2026-04-02,72\n",
);

const callTool = (name: string, args: object = {}) => dataToolRegistry.call(name, args, data);
const teacher_id = "t-001";

describe("dataToolRegistry", () => {
  test("contains the classroom tools and the tools for a user's own data", () => {
    expect(dataToolRegistry.tools.map(({ name }) => name)).toEqual([
      "get_teacher_classes",
      "get_class_detail",
      "get_assignment_submissions",
      "get_student_grades",
      "calculate_stats",
      "compare_performance",
      "list_datasets",
      "describe_dataset",
      "query_dataset",
      "column_stats",
      "correlation",
      "linear_trend",
      "histogram",
      "ranking",
    ]);
  });

  test("[F117] calls synchronous and asynchronous tools", async () => {
    const parameters = z.object({ n: z.number() });
    const registry = createDataToolRegistry([
      createDataTool({ name: "now", description: "", parameters, run: ({ n }) => n + 1 }),
      createDataTool({ name: "later", description: "", parameters, run: ({ n }) => Promise.resolve(n + 2) }),
    ]);
    expect(await registry.call("now", { n: 1 }, data)).toBe(2);
    expect(await registry.call("later", { n: 1 }, data)).toBe(3);
  });

  test("[F117] rejects an unknown tool and invalid arguments", async () => {
    for (const [name, args, words] of [
      ["get_clas_detail", {}, /get_class_detail/],
      ["toString", {}, /no tool/],
      ["get_class_detail", { teacher_id: 1, class_id: "x" }, /teacher_id/],
      ["calculate_stats", { data: ["58"] }, /data/],
      ["calculate_stats", { data: [1], metrics: ["mode"] }, /metrics/],
      ["query_dataset", { dataset: "成绩", sql: "SELECT 1" }, /sql/],
    ] as const) {
      const thrown: unknown = await callTool(name, args).catch((reason: unknown) => reason);
      expect(thrown, name).toBeInstanceOf(Fault);
      expect(thrown).toMatchObject({ code: "invalid_request", message: expect.stringMatching(words) as string });
    }
  });
});

describe("classroom tools", () => {
  test("return a teacher's classes", async () => {
    expect(await callTool("get_teacher_classes", { teacher_id })).toMatchObject({
      teacher_id,
      classes: [
        { class_id: "class-hk-f1a", name: "Form 1A", student_count: 5 },
        { class_id: "class-hk-f1b", name: "Form 1B", student_count: 6 },
      ],
    });
  });

  test("return a class by id or name, with its students and its assignments, latest first", async () => {
    const detail = await callTool("get_class_detail", { teacher_id, class_id: "class-hk-f1a" });
    expect(detail).toMatchObject({
      name: "Form 1A",
      students: [{ student_id: "s-001", number: 1 }, {}, {}, {}, {}],
      assignments: [{ assignment_id: "a-001", submission_count: 5 }, { max_score: 50 }, {}],
    });
    expect(JSON.stringify(detail)).not.toContain("scores");
    expect(await callTool("get_class_detail", { teacher_id, class_id: "Form 1A" })).toEqual(detail);
  });

  test("return the known scores of an assignment", async () => {
    const answer = await callTool("get_assignment_submissions", { teacher_id, assignment_id: "a-001" });
    expect(answer).toMatchObject({ class_id: "class-hk-f1a", max_score: 100, scores: [58, 85, 72, 91, 65] });
    const { scores } = answer as { scores: number[] };
    expect(await callTool("calculate_stats", { data: scores })).toMatchObject({ count: 5, mean: 74.2 });
  });

  test("return a null score for a missing submission and leave it out of the scores", async () => {
    expect(await callTool("get_assignment_submissions", { teacher_id, assignment_id: "a-005" })).toMatchObject({
      submissions: [{}, {}, {}, { score: null, submitted: false }, {}, {}],
      scores: [33, 41, 28, 46, 30],
    });
  });

  test("return a student's scores", async () => {
    expect(await callTool("get_student_grades", { teacher_id, student_id: "s-002" })).toMatchObject({
      class_name: "Form 1A",
      grades: [{ assignment_id: "a-001", score: 85 }, { assignment_id: "a-002", score: 45 }, { score: 81 }],
    });
  });

  test.each([
    ["get_teacher_classes", { teacher_id: "t-01" }, "teacher", "t-001"],
    ["get_class_detail", { teacher_id, class_id: "class-hk-f1c" }, "class", "class-hk-f1a"],
    ["get_class_detail", { teacher_id, class_id: "form 1b" }, "class", "Form 1B"],
    ["get_class_detail", { teacher_id, class_id: "1A" }, "class", "Form 1A"],
    ["get_class_detail", { teacher_id, class_id: "1C" }, "class", "Form 1A"],
    ["get_assignment_submissions", { teacher_id, assignment_id: "a-007" }, "assignment", "a-001"],
    ["get_assignment_submissions", { teacher_id, assignment_id: "unit 5" }, "assignment", "Unit 5 Test"],
    ["get_assignment_submissions", { teacher_id, assignment_id: "Unit 5 Test" }, "assignment", "Unit 5 Test"],
    ["get_student_grades", { teacher_id, student_id: "Cheng Wing" }, "student", "Cheng Wing Lam"],
  ])("return an error with the nearest names: %s %j", async (name, args, entity, suggestion) => {
    const { error } = (await callTool(name, args)) as {
      error: { entity: string; message: string; suggestions: string[] };
    };
    expect(error.entity).toBe(entity);
    expect(error.message).toContain(`no ${entity}`);
    expect(error.suggestions[0]).toBe(suggestion);
  });
});

describe("statistics tools", () => {
  test("ignore gaps and report missing values", async () => {
    expect(await callTool("calculate_stats", { data: [1, null, 3] })).toMatchObject({ count: 2, mean: 2 });
    expect(await callTool("calculate_stats", { data: [] })).toMatchObject({ error: { entity: "data" } });
    expect(await callTool("compare_performance", { group_a: [1], group_b: [null] })).toMatchObject({
      error: { message: expect.stringContaining("group_b") as string },
    });
    expect(await callTool("compare_performance", { group_a: [58, 85, 72, 91, 65], group_b: [60] })).toMatchObject({
      difference: { mean: 14.2 },
      summary: { group_a_count: 5, group_b_count: 1 },
    });
  });

  test("compute correlation, trend, histogram and ranking", async () => {
    expect(await callTool("correlation", { x: [1, 2, null, 4], y: [2, 4, 9, 8] })).toEqual({
      count: 3,
      r: 1,
      r_squared: 1,
    });
    expect(await callTool("linear_trend", { y: [1, 3, null, 7] })).toMatchObject({
      slope: 2,
      intercept: -1,
      direction: "up",
      fitted: [1, 3, 5, 7],
    });
    const none = { slope: null, direction: null };
    expect(await callTool("linear_trend", { y: [1] })).toMatchObject({ count: 1, ...none, fitted: [null] });
    expect(await callTool("linear_trend", { y: [] })).toMatchObject({ count: 0, ...none, fitted: [] });
    expect(await callTool("linear_trend", { y: [5, 7], x: [1, 1] })).toMatchObject({ count: 2, ...none });
    expect(await callTool("histogram", { data: [0, 1, 2, 10], bins: 2 })).toMatchObject({
      labels: ["0–5", "5–10"],
      counts: [3, 1],
    });
    expect(await callTool("ranking", { labels: ["a", "b", "c"], values: [1, 3, null], limit: 5 })).toEqual({
      ranking: [
        { rank: 1, label: "b", value: 3 },
        { rank: 2, label: "a", value: 1 },
      ],
      labels: ["b", "a"],
      values: [3, 1],
    });
  });
});

describe("dataset tools", () => {
  test("list and describe datasets", async () => {
    expect(await callTool("list_datasets")).toMatchObject({ datasets: [{ name: "成绩", rows: 4 }] });
    expect(await callTool("describe_dataset", { dataset: "成绩" })).toMatchObject({
      columns: [{}, {}, {}, { gaps: 1 }],
    });
  });

  test("query datasets and return rows and columns", async () => {
    const answer = await callTool("query_dataset", {
      dataset: "成绩",
      group: [{ column: "日期", bucket: "month", as: "月" }],
      aggregate: [{ function: "mean", column: "成绩" }],
    });
    expect(answer).toMatchObject({
      rows: [
        ["2026-03", 85],
        ["2026-04", 65],
      ],
      values: { 月: ["2026-03", "2026-04"], mean_成绩: [85, 65] },
    });
  });

  test("return full column statistics", async () => {
    expect(await callTool("column_stats", { dataset: "成绩", column: "成绩" })).toMatchObject({
      count: 3,
      gaps: 1,
      median: 72,
      sum: 215,
      percentiles: { p25: 65, p90: 82.4 },
      top: [{ value: 58, count: 1 }, {}, {}],
    });
    expect(await callTool("column_stats", { dataset: "成绩", column: "班级" })).toMatchObject({
      median: null,
      histogram: null,
      top: [
        { value: "一班", count: 2 },
        { value: "二班", count: 2 },
      ],
    });
  });

  test.each([
    ["describe_dataset", { dataset: "成績" }, "dataset", ["成绩"]],
    ["describe_dataset", { dataset: "scores" }, "dataset", ["成绩"]],
    ["column_stats", { dataset: "成绩", column: "班" }, "column", ["班级"]],
    ["query_dataset", { dataset: "成绩表" }, "dataset", ["成绩"]],
    ["query_dataset", { dataset: "成绩", select: ["成绩分数"] }, "column", ["成绩"]],
  ])("return an error with the nearest names: %s %j", async (name, args, entity, suggestions) => {
    const { error } = (await callTool(name, args)) as { error: { suggestions: string[] } };
    expect(error).toMatchObject({ entity });
    expect(error.suggestions.slice(0, suggestions.length)).toEqual(suggestions);
  });
});

describe("findSimilarNames()", () => {
  test.each<[string, string[], string[]]>([
    ["Score", ["score", "scores", "store"], ["score"]],
    ["SCORE", ["rate", "score"], ["score"]],
    ["total_score", ["Total Score", "total"], ["Total Score"]],
    ["totl score", ["total score", "name"], ["total score"]],
    ["数学分数", ["语文成绩", "数学成绩", "姓名"], ["数学成绩"]],
    ["成绩数学", ["姓名", "数学成绩"], ["数学成绩"]],
    ["成绩", ["姓名", "数学成绩", "班级"], ["数学成绩"]],
    ["ｓｃｏｒｅ", ["name", "score"], ["score"]],
    ["Form 1C", ["Form 1A", "Form 1B", "Form 2A"], ["Form 1A", "Form 1B"]],
    ["", ["a", "b"], ["a", "b"]],
    ["xyz", ["甲", "乙", "丙", "丁"], ["甲", "乙", "丙"]],
    ["x", [], []],
  ])("finds for %j among %j the nearest names first", (name, names, expected) => {
    expect(findSimilarNames(name, names).slice(0, expected.length)).toEqual(expected);
  });

  test("searches many long names quickly", () => {
    const names = Array.from({ length: 200 }, (_, i) => `${"长".repeat(180)}${i}`);
    const start = getCpuMs();
    expect(findSimilarNames(`${"长".repeat(180)}7`, names)[0]).toBe(names[7]);
    findSimilarNames("x".repeat(200), names);
    expect(findSimilarNames("kitten", ["sitting", "kit ten!"])).toEqual(["kit ten!", "sitting"]);
    expect(getCpuMs() - start).toBeLessThan(2_000);
  });
});
