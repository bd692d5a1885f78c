// What a model is told of a page: everything that fits, and no more.

import { expect, test } from "vitest";
import { digestResults, digestPage, type PageSources } from "../../../src/agents/analyst/page-digest.ts";
import type { PageSpec } from "../../../src/protocol/pages/page.ts";
import { PAGE } from "../../http/plain/sample-page.ts";

const about = (more: Partial<PageSources> = {}): PageSources => ({ page: null, snapshot: null, sent: null, ...more });
const json = (value: unknown) => JSON.stringify(value);

test("every block is there, with its numbers", () => {
  const text = json(digestPage(about({ page: PAGE })));
  for (const part of ["Mean", "74.2", "Wong Ka Ho", "58", "What stands out", "Talk to Wong Ka Ho", "I went", "0-39"])
    expect(text).toContain(part);
});

test("a long table and a long page are cut, and say so", () => {
  const rows = Array.from({ length: 5_000 }, (_, i) => ({ cells: [`student ${i}`, i], status: "normal" as const }));
  const table = { id: "t", type: "table" as const, title: "T", headers: ["a", "b"], rows, highlightRules: [] };
  const page = (blocks: PageSpec["tabs"][number]["blocks"]): PageSpec => ({
    ...PAGE,
    tabs: [{ id: "t", label: "T", blocks }],
  });
  const one = json(digestPage(about({ page: page([table]) })));
  expect(one).toContain("student 59");
  expect(one).not.toContain("student 60");
  expect(one).toContain("4940 more");
  expect(json(digestPage(about({ page: page(Array.from({ length: 24 }, () => table)) }))).length).toBeLessThan(30_000);
});

test("what the client sends of the page counts, as the page or as whatever it is", () => {
  const other: PageSpec = { ...PAGE, meta: { ...PAGE.meta, summary: "Another one." } };
  for (const sent of [other, { page: other }])
    expect(json(digestPage(about({ page: PAGE, sent })))).toContain("Another one.");
  expect(digestPage(about({ sent: { note: "n" } }))).toEqual({ note: "n" });
  expect(digestPage(about({ page: PAGE, sent: { note: "n" } }))).toMatchObject({
    note: "n",
    summary: PAGE.meta.summary,
  });
  expect(digestPage(about())).toEqual({});
});

test("the data behind it comes with it, as far as there is room", () => {
  const result = (n: number, length: number) => ({ tool: `t${n}`, args: {}, result: "x".repeat(length) });
  expect(digestResults(about())).toEqual([]);
  expect(digestResults(about({ snapshot: { results: [result(1, 10)], is_cut: false } }))).toEqual([result(1, 10)]);
  const many = digestResults(
    about({ snapshot: { results: Array.from({ length: 9 }, (_, i) => result(i, 50_000)), is_cut: false } }),
  );
  expect(json(many).length).toBeLessThan(20_000);
  expect(json(many)).toContain('"omitted":7');
});
