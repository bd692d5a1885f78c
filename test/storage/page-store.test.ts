// Pages over SQLite: what is kept, what makes room, what is too large.

import { describe, expect, test } from "vitest";
import { MAX_PAGES, PageStore } from "../../src/durable/page-store.ts";
import { blueprintSchema, type Blueprint } from "../../src/protocol/pages/blueprint-schema.ts";
import type { PageDraft } from "../../src/protocol/pages/stored-page.ts";
import { PAGE } from "../http/plain/sample-page.ts";
import { inMemory } from "../support/sqlite.ts";

const blueprint: Blueprint = blueprintSchema.parse({
  id: "bp-1",
  name: "Compare",
  dataContract: {},
  computeGraph: {},
  uiComposition: { tabs: [{ id: "t", label: "T" }] },
});
const draft = (more: Partial<PageDraft> = {}): PageDraft => ({
  page: PAGE,
  blueprint,
  snapshot: { results: [{ tool: "get", args: { a: 1 }, result: { mean: 74.2 } }], is_cut: false },
  context: { classId: "class-hk-f1a" },
  teacher_id: "t-001",
  language: "zh",
  ...more,
});
const titled = (pageTitle: string) => draft({ page: { ...PAGE, meta: { ...PAGE.meta, pageTitle } } });

describe("a page", () => {
  test("comes back as it was kept", () => {
    const store = new PageStore(inMemory());
    const kept = store.save(draft({ conversation_id: "conv-1" }), 5);
    expect(kept).toEqual({
      page_id: expect.stringMatching(/^page-[\da-f]{32}$/) as string,
      title: PAGE.meta.pageTitle,
      summary: PAGE.meta.summary,
      conversation_id: "conv-1",
      created_at: 5,
      refreshed_at: 5,
    });
    expect(store.getPage(kept.page_id)).toEqual({ ...kept, ...draft() });
  });

  test("that is made anew keeps its name, its age and its conversation", () => {
    const store = new PageStore(inMemory());
    const { page_id } = store.save(draft({ conversation_id: "conv-1" }), 5);
    store.rename(page_id, "Mine");
    const again = store.save({ ...titled("Another"), page_id }, 9);
    expect(again).toMatchObject({ page_id, title: "Mine", created_at: 5, refreshed_at: 9, conversation_id: "conv-1" });
    expect(store.getPage(page_id).page.meta.pageTitle).toBe("Another");
    expect(store.listPages(10, null)).toHaveLength(1);
  });

  test("that is changed goes by its new title, unless somebody has named it", () => {
    const store = new PageStore(inMemory());
    const { page_id } = store.save(titled("Form 1A"), 5);
    expect(store.save({ ...titled("Form 1B"), page_id }, 6).title).toBe("Form 1B");
    expect(store.save({ ...titled("Form 1C"), page_id }, 7).title).toBe("Form 1C");
    store.rename(page_id, "Mine");
    expect(store.save({ ...titled("Form 1D"), page_id }, 8).title).toBe("Mine");
  });

  test("is listed newest first, in pages", () => {
    const store = new PageStore(inMemory());
    const made = ["a", "b", "c"].map((title, i) => store.save(titled(title), i < 2 ? 1 : 2));
    const first = store.listPages(2, null);
    const last = first.at(-1);
    const rest = store.listPages(2, { at: last?.created_at ?? 0, id: last?.page_id ?? "" });
    expect(first[0]?.title).toBe("c");
    expect(new Set([...first, ...rest].map(({ page_id }) => page_id))).toEqual(
      new Set(made.map(({ page_id }) => page_id)),
    );
    expect(rest).toHaveLength(1);
  });

  test("that is not there cannot be read, renamed or removed, and looking for it leaves no trace", () => {
    const sql = inMemory();
    const store = new PageStore(sql);
    const refusals = () => {
      expect(() => store.getPage("page-1")).toThrow("There is no such page.");
      expect(() => store.rename("page-1", "x")).toThrow("There is no such page.");
      expect(() => store.remove("page-1")).toThrow("There is no such page.");
    };
    refusals();
    expect(store.listPages(10, null)).toEqual([]);
    expect(store.getDialogState("k")).toEqual({});
    expect([...sql.rows(`SELECT name FROM sqlite_master WHERE name NOT LIKE ?`, "sqlite%")]).toEqual([]);
    const { page_id } = store.save(draft(), 1);
    refusals();
    store.remove(page_id);
    expect(() => store.getPage(page_id)).toThrow("There is no such page.");
  });
});

describe("bounds", () => {
  test("a page that is too large is refused, and nothing of it stays", () => {
    const store = new PageStore(inMemory());
    const content = "字".repeat(500_000);
    const tabs = [
      { id: "t", label: "T", blocks: [{ id: "b", type: "markdown", variant: "default", content } as const] },
    ];
    expect(() => store.save(draft({ page: { ...PAGE, tabs } }), 1)).toThrow("too large");
    expect(store.listPages(10, null)).toEqual([]);
  });

  test("a snapshot that is too large is cut, and says so", () => {
    const store = new PageStore(inMemory());
    const result = (n: number, length: number) => ({ tool: `t${n}`, args: {}, result: "x".repeat(length) });
    const results = [result(1, 250_000), ...[2, 3, 4, 5].map((n) => result(n, 150_000))];
    const { page_id } = store.save(draft({ snapshot: { results, is_cut: false } }), 1);
    const { snapshot } = store.getPage(page_id);
    expect(snapshot.is_cut).toBe(true);
    expect(snapshot.results.map(({ tool }) => tool)).toEqual(["t2", "t3", "t4"]);
  });

  test("the oldest page makes room", () => {
    const store = new PageStore(inMemory());
    const oldest = store.save(draft(), 0);
    for (let i = 1; i <= MAX_PAGES; i++) store.save(draft(), i);
    expect(() => store.getPage(oldest.page_id)).toThrow("There is no such page.");
    expect(store.listPages(MAX_PAGES + 1, null)).toHaveLength(MAX_PAGES);
  });
});

test("how a conversation stands comes back, and is replaced whole", () => {
  const store = new PageStore(inMemory());
  store.saveDialogState("k", { blueprint, page_id: "page-1", asked: { request: "a", question: "b" } }, 1);
  expect(store.getDialogState("k")).toEqual({ blueprint, page_id: "page-1", asked: { request: "a", question: "b" } });
  expect(store.getDialogState("other")).toEqual({});
  store.saveDialogState("k", { blueprint }, 2);
  expect(store.getDialogState("k")).toEqual({ blueprint });
  store.saveDialogState("k", {}, 3);
  expect(store.getDialogState("k")).toEqual({});
});
