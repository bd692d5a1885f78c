// The digest of a page for a model contains everything that fits, and no more.

import { expect, test } from "vitest";
import { digestResults, digestPage, type PageSources } from "../../../src/agents/analyst/talk/page-digest.ts";
import type { PageSpec } from "../../../src/protocol/pages/page.ts";
import { SAMPLE_PAGE } from "../../http/plain/sample-page.ts";

const createSources = (more: Partial<PageSources> = {}): PageSources => ({
  page: null,
  snapshot: null,
  sent: null,
  ...more,
});
const toJson = (value: unknown) => JSON.stringify(value);

test("a page digest contains every block with its numbers", () => {
  const text = toJson(digestPage(createSources({ page: SAMPLE_PAGE })));
  for (const part of ["Mean", "74.2", "Wong Ka Ho", "58", "What stands out", "Talk to Wong Ka Ho", "I went", "0-39"])
    expect(text).toContain(part);
});

test("a page digest truncates a long table and a long page, and marks the cut", () => {
  const rows = Array.from({ length: 5_000 }, (_, i) => ({ cells: [`student ${i}`, i], status: "normal" as const }));
  const table = { id: "t", type: "table" as const, title: "T", headers: ["a", "b"], rows, highlightRules: [] };
  const page = (blocks: PageSpec["tabs"][number]["blocks"]): PageSpec => ({
    ...SAMPLE_PAGE,
    tabs: [{ id: "t", label: "T", blocks }],
  });
  const digest = toJson(digestPage(createSources({ page: page([table]) })));
  expect(digest).toContain("student 59");
  expect(digest).not.toContain("student 60");
  expect(digest).toContain("4940 more");
  expect(
    toJson(digestPage(createSources({ page: page(Array.from({ length: 24 }, () => table)) }))).length,
  ).toBeLessThan(30_000);
});

test("a page digest includes the page or the data that the client sends", () => {
  const other: PageSpec = { ...SAMPLE_PAGE, meta: { ...SAMPLE_PAGE.meta, summary: "Another one." } };
  for (const sent of [other, { page: other }])
    expect(toJson(digestPage(createSources({ page: SAMPLE_PAGE, sent })))).toContain("Another one.");
  expect(digestPage(createSources({ sent: { note: "n" } }))).toEqual({ note: "n" });
  expect(digestPage(createSources({ page: SAMPLE_PAGE, sent: { note: "n" } }))).toMatchObject({
    note: "n",
    summary: SAMPLE_PAGE.meta.summary,
  });
  expect(digestPage(createSources())).toEqual({});
});

test("digestResults includes the data behind the page up to its size limit", () => {
  const result = (n: number, length: number) => ({ tool: `t${n}`, args: {}, result: "x".repeat(length) });
  expect(digestResults(createSources())).toEqual([]);
  expect(digestResults(createSources({ snapshot: { results: [result(1, 10)], is_cut: false } }))).toEqual([
    result(1, 10),
  ]);
  const many = digestResults(
    createSources({ snapshot: { results: Array.from({ length: 9 }, (_, i) => result(i, 50_000)), is_cut: false } }),
  );
  expect(toJson(many).length).toBeLessThan(20_000);
  expect(toJson(many)).toContain('"omitted":7');
});
