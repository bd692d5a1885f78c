import { describe, expect, test } from "vitest";
import { SCORES } from "./classroom.ts";
import { createTestBlock, COMPARISON, ROWS, STATS } from "./test-blocks.ts";

describe("[F112] table", () => {
  test("marks scores below 60 and from 80 on, and keeps numbers as numbers", () => {
    expect(createTestBlock("table", { submissions: ROWS, scores: SCORES })).toMatchObject({
      headers: ["Student ID", "Student", "Score", "Submitted"],
      rows: [
        { cells: ["s-1", "Ann", 58, "Nov 2, 2026"], status: "warning" },
        { cells: ["s-2", "Ben", 85, "Nov 3, 2026"], status: "success" },
        { cells: ["s-3", "Cai", 72, null], status: "normal" },
      ],
    });
  });

  test.each([
    [59.9, "warning"],
    [60, "normal"],
    [79.9, "normal"],
    [80, "success"],
  ])("classifies the score %d as %s", (score, status) => {
    expect(createTestBlock("table", [{ score }])).toMatchObject({ rows: [{ status }] });
  });

  test("compares a score with the maximum score where there is one", () => {
    const submissions = [{ score: 45 }, { score: 29 }];
    const marked = { rows: [{ status: "success" }, { status: "warning" }] };
    expect(createTestBlock("table", { max_score: 50, submissions })).toMatchObject(marked);
    expect(createTestBlock("table", submissions, { maxScore: 50 })).toMatchObject(marked);
    expect(
      createTestBlock("table", [
        { score: 45, max_score: 50 },
        { score: 45, max_score: 100 },
      ]),
    ).toMatchObject(marked);
  });

  test("does not classify numbers that are not scores", () => {
    expect(createTestBlock("table", [{ price: 12 }])).toMatchObject({ rows: [{ status: "normal" }] });
    expect(createTestBlock("table", [{ max_score: 50 }])).toMatchObject({ rows: [{ status: "normal" }] });
    expect(createTestBlock("table", [{ score: 4 }, { score: 5 }])).toMatchObject({
      rows: [{ status: "normal" }, { status: "normal" }],
    });
    expect(createTestBlock("table", [{ 成绩: 30 }], {}, "zh")).toMatchObject({
      headers: ["成绩"],
      rows: [{ status: "warning" }],
    });
  });

  test("shows the named columns under their titles and highlights by valid rules", () => {
    const props = {
      columns: [{ key: "score", label: "Points" }, "student_name"],
      highlightRules: [
        { column: "score", condition: "<", value: 60, style: "danger" },
        { column: "nothing", condition: "lt", value: 1, style: "error" },
        { column: "score", condition: "resembles", value: 1, style: "error" },
      ],
    };
    expect(createTestBlock("table", ROWS, props)).toMatchObject({
      headers: ["Points", "Student"],
      rows: [{ cells: [58, "Ann"] }, {}, {}],
      highlightRules: [{ column: 0, condition: "lt", value: 60, style: "error" }],
    });
  });

  test("shows the columns and rows of a query result, the statistics of a group, and a comparison of two groups", () => {
    expect(createTestBlock("table", { columns: [{ name: "城市" }, { name: "n" }], rows: [["北京", 3]] })).toMatchObject(
      {
        headers: ["城市", "n"],
        rows: [{ cells: ["北京", 3] }],
      },
    );
    expect(createTestBlock("table", STATS)).toMatchObject({
      headers: ["Measure", "Value"],
      rows: [{ cells: ["Average", STATS.mean] }, {}, {}, {}, {}, {}],
    });
    expect(createTestBlock("table", COMPARISON)).toMatchObject({
      headers: ["Measure", "Group A", "Group B", "Difference"],
    });
  });

  test("shows at most 500 rows and says so in its title", () => {
    const rows = Array.from({ length: 501 }, (_, i) => ({ i }));
    const shown = createTestBlock("table", rows, { title: "All" }, "zh");
    expect(shown).toMatchObject({ title: "All (前 500 项，共 501 项)" });
    expect(shown.type === "table" && shown.rows.length).toBe(500);
  });

  test("says in its title that a query result was truncated, unless the title limits it", () => {
    const answer = (count: number) => ({
      columns: ["n"],
      rows: Array.from({ length: count }, (_, n) => [n]),
      is_truncated: true,
    });
    expect(createTestBlock("table", answer(100), { title: "All" })).toMatchObject({
      title: "All (first 100 of more)",
    });
    expect(createTestBlock("chart", answer(100))).toMatchObject({ title: "(first 100 of more)" });
    expect(createTestBlock("table", answer(10), { title: "Top ten" })).toMatchObject({ title: "Top ten" });
  });

  test("is empty for an empty query result", () => {
    expect(createTestBlock("table", { columns: ["a"], rows: [] })).toMatchObject({
      type: "table",
      headers: ["a"],
      rows: [],
    });
  });
});
