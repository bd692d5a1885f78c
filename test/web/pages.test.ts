// Page logic without rendering: build progress, unverified numbers, table sorting, uploads.

import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import type { ClarifyOptions } from "../../src/protocol/pages/analysis-api.ts";
import type { Blueprint } from "../../src/protocol/pages/blueprint-schema.ts";
import type { PageBlock, PageEvent, PageSpec } from "../../src/protocol/pages/page.ts";
import type { PageTable } from "../../src/pages/page-table.ts";
import { AnalystChat } from "../../src/web/features/pages/analyst-chat.tsx";
import { getNextOrder, sortRows } from "../../src/web/features/pages/blocks/table-block.tsx";
import { createPageProgress, applyPageEvent, type PageProgress } from "../../src/web/features/pages/page-progress.ts";
import { getDatasetName, formatFileSize, toUploadBlob } from "../../src/web/features/pages/data/upload-file.ts";
import { findNumbers } from "../../src/web/features/pages/blocks/use-unverified-highlight.ts";
import { toggleMember } from "../../src/web/features/pages/chart/chart-data.ts";
import "./load-messages.ts";

const BLUEPRINT = {
  name: "Comparison",
  uiComposition: {
    tabs: [
      { id: "one", label: "One", slots: [{ id: "text", componentType: "markdown" }] },
      { id: "two", label: "Two", slots: [{ id: "figures", componentType: "kpi_grid" }] },
    ],
  },
} as unknown as Blueprint;
const TEXT: PageBlock = { id: "text", type: "markdown", content: "The mean is 74.2.", variant: "default" };
const FIGURES: PageBlock = { id: "figures", type: "kpi_grid", data: [] };
const PAGE = { tabs: [{ id: "one", label: "One", blocks: [TEXT] }] } as unknown as PageSpec;

const applyEvents = (from: PageProgress, ...events: PageEvent[]) => events.reduce(applyPageEvent, from);
const listParts = ({ tabs }: PageProgress) => tabs.map(({ parts }) => parts);

describe("page progress", () => {
  test("lists every block of the blueprint from the start, with the previous block if there is one", () => {
    expect(listParts(createPageProgress(BLUEPRINT))).toEqual([
      [{ status: "awaited", id: "text", type: "markdown" }],
      [{ status: "awaited", id: "figures", type: "kpi_grid" }],
    ]);
    expect(listParts(createPageProgress(BLUEPRINT, PAGE))).toEqual([
      [{ status: "old", id: "text", block: TEXT }],
      [{ status: "awaited", id: "figures", type: "kpi_grid" }],
    ]);
  });

  test("places blocks in blueprint order, in whatever order they arrive", () => {
    const building = applyEvents(
      createPageProgress(BLUEPRINT),
      { type: "BLOCK_START", blockId: "figures", componentType: "kpi_grid" },
      { type: "BLOCK_COMPLETE", blockId: "figures", block: FIGURES },
      { type: "BLOCK_START", blockId: "text", componentType: "markdown" },
      { type: "SLOT_DELTA", blockId: "text", slotKey: "content", deltaText: "The mean " },
      { type: "SLOT_DELTA", blockId: "text", slotKey: "content", deltaText: "is" },
    );
    expect(listParts(building)).toEqual([
      [{ status: "begun", id: "text", type: "markdown", text: "The mean is" }],
      [{ status: "done", id: "figures", block: FIGURES }],
    ]);
    const completed = applyEvents(building, { type: "BLOCK_COMPLETE", blockId: "text", block: TEXT });
    expect(listParts(completed)[0]).toEqual([{ status: "done", id: "text", block: TEXT }]);
  });

  test("appends blocks that the blueprint does not name and ignores text for completed blocks", () => {
    const building = applyEvents(
      createPageProgress(undefined),
      { type: "BLOCK_COMPLETE", blockId: "text", block: TEXT },
      { type: "SLOT_DELTA", blockId: "text", slotKey: "content", deltaText: "late" },
      { type: "SLOT_DELTA", blockId: "nobody", slotKey: "content", deltaText: "lost" },
    );
    expect(listParts(building)).toEqual([[{ status: "done", id: "text", block: TEXT }]]);
  });

  test("separates calls of the same tool", () => {
    const { calls } = applyEvents(
      createPageProgress(undefined),
      { type: "TOOL_CALL", tool: "stats", args: {}, callId: "a" },
      { type: "TOOL_CALL", tool: "stats", args: {}, callId: "b" },
      { type: "TOOL_CALL", tool: "stats", args: {}, callId: "b" },
      { type: "TOOL_RESULT", tool: "stats", status: "error", error: "No data", callId: "b" },
      { type: "TOOL_RESULT", tool: "stats", status: "success", callId: "b" },
    );
    expect(calls.map(({ status }) => status)).toEqual(["running", "error", "success"]);
    expect(calls[1]?.error).toBe("No data");
    expect(new Set(calls.map(({ key }) => key)).size).toBe(3);
  });

  test("ends with the outcome, which is a text if there is no page", () => {
    const problem: PageEvent = { type: "DATA_ERROR", entity: "class", message: "No 1Z.", suggestions: ["1A"] };
    const end: PageEvent = {
      type: "COMPLETE",
      message: "error",
      progress: 100,
      result: { response: "", chatResponse: "There is no 1Z.", page: null },
    };
    const { outcome, problems } = applyEvents(createPageProgress(undefined), problem, end);
    expect(problems).toMatchObject([{ message: "No 1Z.", suggestions: ["1A"] }]);
    expect(outcome).toEqual({ page: null, pageId: null, words: "There is no 1Z." });
  });
});

describe("unverified numbers", () => {
  test.each([
    ["74.7 and 4.7, not 4.75", ["4.7"], ["4.7"], [9]],
    ["12% of 120", ["12%", "12"], ["12", "12%"], [0, 0]],
    ["增长4.7。又4.7", ["4.7"], ["4.7", "4.7"], [2, 7]],
    ["1,204.7", ["204.7"], [], []],
    ["It is 40.", ["40"], ["40"], [6]],
    ["nothing", [""], [], []],
  ])("are found in %j", (text, numbers, expected, starts) => {
    const ranges = findNumbers(text, numbers);
    expect(ranges.map(({ start, end }) => text.slice(start, end)).toSorted()).toEqual(expected.toSorted());
    expect(ranges.map(({ start }) => start)).toEqual(starts);
  });
});

describe("table rows", () => {
  const rows: PageTable["rows"] = [
    ["b", 10],
    ["a", null],
    ["C", 9],
    ["小", 9],
  ].map((cells) => ({
    cells,
    status: "normal",
  }));
  const listFirstCells = (order: Parameters<typeof sortRows>[1]) =>
    sortRows(rows, order, "en").map(({ cells }) => cells[0]);

  test("are sorted by value, with gaps last in both directions and equal values in original order", () => {
    expect(listFirstCells({ column: 1, direction: "ascending" })).toEqual(["C", "小", "b", "a"]);
    expect(listFirstCells({ column: 1, direction: "descending" })).toEqual(["b", "C", "小", "a"]);
    expect(listFirstCells({ column: 0, direction: "ascending" }).slice(0, 3)).toEqual(["a", "b", "C"]);
    expect(listFirstCells(null)).toEqual(["b", "a", "C", "小"]);
  });

  test("cycle between ascending, descending and original order", () => {
    const up = getNextOrder(null, 1);
    const down = getNextOrder(up, 1);
    expect([up, down, getNextOrder(down, 1)]).toEqual([
      { column: 1, direction: "ascending" },
      { column: 1, direction: "descending" },
      null,
    ]);
    expect(getNextOrder(down, 0)).toEqual({ column: 0, direction: "ascending" });
  });
});

describe("uploaded file", () => {
  test("is named after its file name without the extension", () => {
    expect(["销售.2026.csv", ".csv", "a".repeat(300)].map((name) => getDatasetName({ name }))).toEqual([
      "销售.2026",
      ".csv",
      "a".repeat(200),
    ]);
  });

  test("has the media type of its extension, not the one that the system reports", () => {
    expect(toUploadBlob(new File([], "a.csv", { type: "application/vnd.ms-excel" })).type).toBe("text/csv");
    expect(toUploadBlob(new File([], "a.JSON", { type: "" })).type).toBe("application/json");
    expect(toUploadBlob(new File([], "a.txt", { type: "" })).type).toBe("text/csv");
  });

  test("has a formatted size", () => {
    expect([235, 91_000, 12_582_912].map((bytes) => formatFileSize(bytes, "en"))).toEqual([
      "235 byte",
      "91 kB",
      "12.6 MB",
    ]);
  });
});

test("toggleMember adds and removes a member", () => {
  expect([...toggleMember(new Set([1]), 2)]).toEqual([1, 2]);
  expect([...toggleMember(new Set([1, 2]), 2)]).toEqual([1]);
});

test("a question of the analyst shows a button for each option", () => {
  const countButtons = (type: ClarifyOptions["type"], ...labels: string[]) => {
    const choices = labels.map((label) => ({ label, value: label, description: "" }));
    const chat = {
      messages: [],
      isThinking: false,
      question: { type, choices, allowCustomInput: true },
      send: async () => true,
    };
    return renderToStaticMarkup(createElement(AnalystChat, { chat, isBusy: false })).match(/<button/g)?.length;
  };
  // The last button sends the written answer.
  expect([countButtons("single_select", "Form 1A"), countButtons("multi_select", "Form 1A")]).toEqual([2, 2]);
  expect([countButtons("single_select"), countButtons("multi_select")]).toEqual([1, 1]);
});
