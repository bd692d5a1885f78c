// The list of MCP resources. It contains conversations, pages and datasets of the caller (U1), in this order; a cursor
// names a kind and a position within its list. The module has no state.

import * as z from "zod";
import { createCursorFault, decodeOpaque, encodeOpaque } from "../api/list-cursor.ts";
import type { Operations } from "../api/operations.ts";
import { RESOURCE_FORMS, type ResourceForm } from "./mcp-resources.ts";

/** Minimum entries of a page of the list that is not the last one. */
const PAGE_SIZE = 50;

/** An entry of the list of resources. */
type ListedResource = { readonly uri: string; readonly name: string; readonly [member: string]: unknown };

/** Creates the entry of a resource in its first form. `updatedAt` is in ms since the epoch. */
function toListedResource(
  { uriTemplate, mimeType }: ResourceForm,
  id: string,
  title: string,
  updatedAt: number,
): ListedResource {
  const annotations = { lastModified: new Date(updatedAt).toISOString() };
  return { uri: uriTemplate.replace("{id}", id), name: id, title, mimeType, annotations };
}

type ListPage = { readonly entries: readonly ListedResource[]; readonly next: string | null };

/** The kinds in the order of the list, each with the function that reads a page of it. */
const KINDS: readonly ((operations: Operations, cursor: string | undefined) => Promise<ListPage>)[] = [
  async (operations, cursor) => {
    const query = { limit: PAGE_SIZE, cursor, top: true };
    const { conversations, next_cursor } = await operations.listConversations({ query });
    const entries = conversations.map(({ conversation_id: id, title = id, updated_at }) =>
      toListedResource(RESOURCE_FORMS.conversation, id, title, updated_at),
    );
    return { entries, next: next_cursor ?? null };
  },
  async (operations, cursor) => {
    const { pages, next_cursor } = await operations.listPages({ query: { limit: PAGE_SIZE, cursor } });
    const entries = pages.map(({ page_id: id, title, refreshed_at }) =>
      toListedResource(RESOURCE_FORMS.page, id, title, refreshed_at),
    );
    return { entries, next: next_cursor ?? null };
  },
  async (operations) => {
    // The number of datasets is limited (`MAX_DATASETS`), and the operation lists all of them.
    const { datasets } = await operations.listDatasets({});
    const entries = datasets.map(({ dataset_id: id, name, updated_at }) =>
      toListedResource(RESOURCE_FORMS.dataset, id, name, updated_at),
    );
    return { entries, next: null };
  },
];

/** A kind and a cursor of its own list. */
const cursorSchema = z.tuple([
  z
    .int()
    .min(0)
    .max(KINDS.length - 1),
  z.string().nullable(),
]);

function decodeResourceCursor(cursor: string | undefined): z.infer<typeof cursorSchema> {
  if (cursor === undefined) return [0, null];
  try {
    return decodeOpaque(cursorSchema, cursor);
  } catch {
    throw createCursorFault();
  }
}

/**
 * Returns a page of the list of resources: conversations that the user started, last updated first, then pages and
 * datasets, newest first. Throws `invalid_request` for an invalid cursor.
 */
export async function listResources(operations: Operations, cursor: string | undefined): Promise<object> {
  const resources: ListedResource[] = [];
  let [kind, position] = decodeResourceCursor(cursor);
  for (let list = KINDS[kind]; list !== undefined; list = KINDS[kind]) {
    if (resources.length >= PAGE_SIZE) return { resources, nextCursor: encodeOpaque([kind, position]) };
    const { entries, next } = await list(operations, position ?? undefined);
    resources.push(...entries);
    if (next === null) kind += 1;
    position = next;
  }
  return { resources };
}
