// Stored pages in SQLite: contents, eviction and size limits.

import { describe, expect, test } from "vitest";
import { MAX_PAGES, PageStore } from "../../src/durable/library/page-store.ts";
import { blueprintSchema, type Blueprint } from "../../src/protocol/pages/blueprint-schema.ts";
import type { PageDraft } from "../../src/protocol/pages/stored-page.ts";
import { SAMPLE_PAGE } from "../http/plain/sample-page.ts";
import { createInMemorySql } from "../support/sqlite.ts";

const blueprint: Blueprint = blueprintSchema.parse({
  id: "bp-1",
  name: "Compare",
  dataContract: {},
  computeGraph: {},
  uiComposition: { tabs: [{ id: "t", label: "T" }] },
});
const createDraft = (more: Partial<PageDraft> = {}): PageDraft => ({
  page: SAMPLE_PAGE,
  blueprint,
  snapshot: { results: [{ tool: "get", args: { a: 1 }, result: { mean: 74.2 } }], is_cut: false },
  context: { classId: "class-hk-f1a" },
  teacher_id: "t-001",
  language: "zh",
  ...more,
});
const createTitledDraft = (pageTitle: string) =>
  createDraft({ page: { ...SAMPLE_PAGE, meta: { ...SAMPLE_PAGE.meta, pageTitle } } });

describe("PageStore", () => {
  test("returns a page as it was saved", () => {
    const store = new PageStore(createInMemorySql());
    const saved = store.save(createDraft({ conversation_id: "conv-1" }), 5);
    expect(saved).toEqual({
      page_id: expect.stringMatching(/^page-[\da-f]{32}$/) as string,
      title: SAMPLE_PAGE.meta.pageTitle,
      summary: SAMPLE_PAGE.meta.summary,
      conversation_id: "conv-1",
      created_at: 5,
      refreshed_at: 5,
    });
    expect(store.getPage(saved.page_id)).toEqual({ ...saved, ...createDraft() });
  });

  test("keeps creation time, conversation and the title that the user gave, of a page that is saved again", () => {
    const store = new PageStore(createInMemorySql());
    const { page_id } = store.save(createDraft({ conversation_id: "conv-1" }), 5);
    expect(store.save({ ...createTitledDraft("Form 1B"), page_id }, 6).title).toBe("Form 1B");
    store.rename(page_id, "Mine");
    const again = store.save({ ...createTitledDraft("Another"), page_id }, 9);
    expect(again).toMatchObject({ page_id, title: "Mine", created_at: 5, refreshed_at: 9, conversation_id: "conv-1" });
    expect(store.getPage(page_id).page.meta.pageTitle).toBe("Another");
    expect(store.listPages(10, null)).toHaveLength(1);
  });

  test("lists pages newest first, with a cursor", () => {
    const store = new PageStore(createInMemorySql());
    const savedPages = ["a", "b", "c"].map((title, i) => store.save(createTitledDraft(title), i < 2 ? 1 : 2));
    const first = store.listPages(2, null);
    const last = first.at(-1);
    const rest = store.listPages(2, { at: last?.created_at ?? 0, id: last?.page_id ?? "" });
    expect(first[0]?.title).toBe("c");
    expect(new Set([...first, ...rest].map(({ page_id }) => page_id))).toEqual(
      new Set(savedPages.map(({ page_id }) => page_id)),
    );
    expect(rest).toHaveLength(1);
  });

  test("rejects unknown pages without creating tables", () => {
    const sql = createInMemorySql();
    const store = new PageStore(sql);
    const expectRefusals = () => {
      expect(() => store.getPage("page-1")).toThrow("Page not found.");
      expect(() => store.rename("page-1", "x")).toThrow("Page not found.");
      expect(() => store.remove("page-1")).toThrow("Page not found.");
    };
    expectRefusals();
    expect(store.listPages(10, null)).toEqual([]);
    expect(store.getDialogState("k")).toEqual({});
    expect([...sql.rows(`SELECT name FROM sqlite_master WHERE name NOT LIKE ?`, "sqlite%")]).toEqual([]);
    const { page_id } = store.save(createDraft(), 1);
    expectRefusals();
    store.remove(page_id);
    expect(() => store.getPage(page_id)).toThrow("Page not found.");
  });
});

describe("PageStore limit", () => {
  test("rejects a page that is too large and stores nothing", () => {
    const store = new PageStore(createInMemorySql());
    const content = "字".repeat(500_000);
    const tabs = [
      { id: "t", label: "T", blocks: [{ id: "b", type: "markdown", variant: "default", content } as const] },
    ];
    const meta = { ...SAMPLE_PAGE.meta, summary: "x".repeat(800_000) };
    for (const page of [
      { ...SAMPLE_PAGE, tabs },
      { ...SAMPLE_PAGE, meta },
    ])
      expect(() => store.save(createDraft({ page }), 1)).toThrow("too large");
    expect(store.listPages(10, null)).toEqual([]);
  });

  test("drops results of a snapshot that is too large and marks it as cut", () => {
    const store = new PageStore(createInMemorySql());
    const result = (n: number, length: number) => ({ tool: `t${n}`, args: {}, result: "x".repeat(length) });
    const results = [result(1, 250_000), ...[2, 3, 4, 5].map((n) => result(n, 150_000))];
    const { page_id } = store.save(createDraft({ snapshot: { results, is_cut: false } }), 1);
    const { snapshot } = store.getPage(page_id);
    expect(snapshot.is_cut).toBe(true);
    expect(snapshot.results.map(({ tool }) => tool)).toEqual(["t2", "t3", "t4"]);
  });

  test("deletes the oldest page when there are too many", () => {
    const store = new PageStore(createInMemorySql());
    const oldest = store.save(createDraft(), 0);
    for (let i = 1; i <= MAX_PAGES; i++) store.save(createDraft(), i);
    expect(() => store.getPage(oldest.page_id)).toThrow("Page not found.");
    expect(store.listPages(MAX_PAGES + 1, null)).toHaveLength(MAX_PAGES);
  });
});

test("PageStore returns the dialog state of a conversation and replaces it completely", () => {
  const store = new PageStore(createInMemorySql());
  store.saveDialogState("k", { blueprint, page_id: "page-1", asked: { request: "a", question: "b" } }, 1);
  expect(store.getDialogState("k")).toEqual({ blueprint, page_id: "page-1", asked: { request: "a", question: "b" } });
  expect(store.getDialogState("other")).toEqual({});
  store.saveDialogState("k", { blueprint }, 2);
  expect(store.getDialogState("k")).toEqual({ blueprint });
  store.saveDialogState("k", {}, 3);
  expect(store.getDialogState("k")).toEqual({});
});
