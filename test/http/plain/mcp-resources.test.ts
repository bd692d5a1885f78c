// The pages of the list of MCP resources, and the bounds of their contents, over scripted operations.

import { expect, test } from "vitest";
import { formatConversationText } from "../../../src/http/mcp/conversation-text.ts";
import { readResource } from "../../../src/http/mcp/mcp-resources.ts";
import { listResources } from "../../../src/http/mcp/resource-list.ts";
import type { Operations } from "../../../src/http/api/operations.ts";
import { formatPageText } from "../../../src/http/page-export/page-text.ts";
import type { Item } from "../../../src/protocol/wire/items.ts";
import { countBytes } from "../../../src/lib/text-size.ts";
import { SAMPLE_PAGE } from "./sample-page.ts";

type ListQuery = { readonly query: { readonly limit: number; readonly cursor?: string } };

/** Returns a list operation over `total` entries whose cursor is the number of the next one. */
function createList(kind: string, total: number, create: (i: number) => object) {
  return async ({ query: { limit, cursor = "0" } }: ListQuery) => {
    const start = Number(cursor);
    const end = Math.min(total, start + limit);
    const entries = Array.from({ length: end - start }, (_, i) => create(start + i));
    return Promise.resolve({ [kind]: entries, next_cursor: end < total ? String(end) : null });
  };
}

function createOperations(conversations: number, pages: number, datasets: number): Operations {
  const at = { updated_at: 0, refreshed_at: 0 };
  return {
    listConversations: createList("conversations", conversations, (i) => ({ conversation_id: `c${i}`, ...at })),
    listPages: createList("pages", pages, (i) => ({ page_id: `p${i}`, title: "", ...at })),
    listDatasets: async () =>
      Promise.resolve({
        datasets: Array.from({ length: datasets }, (_, i) => ({ dataset_id: `d${i}`, name: "", ...at })),
      }),
  } as unknown as Operations;
}

type ResourcePage = { readonly resources: readonly { readonly uri: string }[]; readonly nextCursor?: string };

test.each([
  [0, 0, 0, 1],
  [3, 2, 4, 1],
  [50, 0, 1, 2],
  [120, 60, 5, 4],
])("%i conversations, %i pages and %i datasets are listed once each, on %i pages", async (...counts) => {
  const [conversations, pages, datasets, expected] = counts;
  const operations = createOperations(conversations, pages, datasets);
  const uris: string[] = [];
  let listed = 0;
  let cursor: string | undefined;
  do {
    const page = (await listResources(operations, cursor)) as ResourcePage;
    uris.push(...page.resources.map(({ uri }) => uri));
    cursor = page.nextCursor;
    listed += 1;
  } while (cursor !== undefined);
  const createUris = (kind: string, prefix: string, total: number) =>
    Array.from({ length: total }, (_, i) => `orrery://${kind}/${prefix}${i}`);
  expect(uris).toEqual([
    ...createUris("conversations", "c", conversations),
    ...createUris("pages", "p", pages),
    ...createUris("datasets", "d", datasets),
  ]);
  expect(listed).toBe(expected);
});

test.each(["", "x", btoa("[3,null]"), btoa('[0,null,"x"]')])("the cursor %j is refused", async (cursor) => {
  await expect(listResources(createOperations(1, 1, 1), cursor)).rejects.toMatchObject({ code: "invalid_request" });
});

const createItem = (event: Item["event"], role: Item["role"], content: string): Item => ({
  item_id: "i",
  seq: 1,
  event,
  role,
  conversation_id: "c",
  payload: { content },
  metadata: {},
});

test("the text of a conversation keeps the last messages and says that earlier ones are missing", () => {
  const items = [
    createItem("thread_started", "user", "first"),
    createItem("reasoning", "agent", "hidden"),
    createItem("message_chunk", "agent", "界".repeat(100)),
    createItem("message", "user", "last"),
  ];
  const whole = formatConversationText("Title", items, 10_000);
  expect(whole).toBe(`# Title\n\n## User\n\nfirst\n\n## Orrery\n\n${"界".repeat(100)}\n\n## User\n\nlast`);
  expect(formatConversationText("Title", items, 100)).toBe(
    "# Title\n\n(Earlier messages are left out.)\n\n## User\n\nlast",
  );
  const cut = formatConversationText("", [createItem("message_chunk", "agent", "界".repeat(100))], 100);
  expect(countBytes(cut)).toBeLessThanOrEqual(104);
  expect(cut).toMatch(/界$/);
});

test("rows are cut to 128 KiB, and larger JSON is refused", async () => {
  const rows = Array.from({ length: 100 }, () => ["x".repeat(30_000)]);
  const operations = {
    datasetRows: async () => Promise.resolve({ columns: [{ name: "a" }], rows, next_cursor: null }),
    dataset: async () => Promise.resolve({ preview: rows }),
  } as unknown as Operations;
  const read = (await readResource(operations, "orrery://datasets/data-1/rows")) as { contents: { text: string }[] };
  expect(read.contents[0]?.text.length).toBe(3 * 30_002 + 3);
  await expect(readResource(operations, "orrery://datasets/data-1")).rejects.toMatchObject({ code: "too_large" });
});

test("the text of a page contains all of its blocks", () => {
  const text = formatPageText("Sample", SAMPLE_PAGE);
  expect(text).toMatch(/^# Sample\n\n/);
  for (const { blocks } of SAMPLE_PAGE.tabs)
    for (const block of blocks) {
      const [shown] =
        "title" in block ? [block.title] : block.type === "markdown" ? [block.content] : [block.data[0]?.label];
      expect(text).toContain(shown);
    }
});
