// The resources of the MCP server: conversations, pages and datasets of the caller (U1), read by the operations of the
// API. The module has no state. Every resource has a bounded size.

import { exceedsBytes, truncateToBytes } from "../../lib/text-size.ts";
import { formatCsv } from "../../pages/spreadsheet-csv.ts";
import { createMessage } from "../../language/messages.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { isConversationId } from "../api/id-validation.ts";
import type { Operations } from "../api/operations.ts";
import { formatConversationText } from "./conversation-text.ts";

/** Maximum bytes of a resource in UTF-8. Texts are cut; JSON beyond it is refused. */
const MAX_TEXT_BYTES = 128 * 1_024;
const MAX_JSON_BYTES = 1_024 * 1_024;
/** Maximum items of a conversation, and rows of a dataset. */
const MAX_ITEMS = 100;
const MAX_ROWS = 100;

/** A form of a kind of resource. `{id}` is part of its URI template. */
export type ResourceForm = {
  readonly uriTemplate: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  /** Returns the text of a resource. Throws a `Fault`. */
  readonly read: (operations: Operations, id: string) => Promise<string>;
};

export const RESOURCE_FORMS = {
  conversation: {
    uriTemplate: "orrery://conversations/{id}",
    name: "conversation",
    description: "The last messages, questions and failures of a conversation.",
    mimeType: "text/markdown",
    async read(operations, id) {
      const [{ title = id }, items] = await Promise.all([
        operations.readConversation({ id }),
        operations.items({ id }),
      ]);
      return formatConversationText(title, items, MAX_TEXT_BYTES);
    },
  },
  conversationItems: {
    uriTemplate: "orrery://conversations/{id}/items",
    name: "conversation-items",
    description: `A conversation and its last ${MAX_ITEMS} items, with tool calls and components.`,
    mimeType: "application/json",
    async read(operations, id) {
      const [conversation, items] = await Promise.all([operations.readConversation({ id }), operations.items({ id })]);
      return formatJson({ conversation, items: items.slice(-MAX_ITEMS), is_truncated: items.length > MAX_ITEMS });
    },
  },
  page: {
    uriTemplate: "orrery://pages/{id}",
    name: "page",
    description: "A page as text, with its tables and the values of its charts.",
    mimeType: "text/markdown",
    async read(operations, id) {
      const { title, page } = await operations.page({ id });
      const { formatPageText } = await import("../page-export/page-text.ts");
      return truncateToBytes(formatPageText(title, page), MAX_TEXT_BYTES);
    },
  },
  pageBlocks: {
    uriTemplate: "orrery://pages/{id}/blocks",
    name: "page-blocks",
    description: "A page with its blocks as data.",
    mimeType: "application/json",
    async read(operations, id) {
      const { page_id, title, summary, refreshed_at, page } = await operations.page({ id });
      return formatJson({ page_id, title, summary, refreshed_at, page });
    },
  },
  dataset: {
    uriTemplate: "orrery://datasets/{id}",
    name: "dataset",
    description: "The columns of a dataset with a summary of their values, and its first rows.",
    mimeType: "application/json",
    read: async (operations, id) => formatJson(await operations.dataset({ id })),
  },
  datasetRows: {
    uriTemplate: "orrery://datasets/{id}/rows",
    name: "dataset-rows",
    description: `The first ${MAX_ROWS} rows of a dataset, or as many as fit into ${MAX_TEXT_BYTES} bytes.`,
    mimeType: "text/csv",
    async read(operations, id) {
      const { columns, rows } = await operations.datasetRows({ id, query: { limit: MAX_ROWS } });
      let count = rows.length;
      while (count > 0 && exceedsBytes(formatCsv(columns, rows.slice(0, count)), MAX_TEXT_BYTES)) count = count >> 1;
      // Only spreadsheets need the byte order mark.
      return formatCsv(columns, rows.slice(0, count)).slice(1);
    },
  },
} as const satisfies Readonly<Record<string, ResourceForm>>;

/** Formats JSON. Throws `too_large` if it has more than `MAX_JSON_BYTES`. */
function formatJson(value: object): string {
  const json = JSON.stringify(value);
  if (!exceedsBytes(json, MAX_JSON_BYTES)) return json;
  throw createFault("too_large", createMessage("mcp.resourceTooLarge", { max: MAX_JSON_BYTES }));
}

/** Returns the descriptions of all forms, as in the result of `resources/templates/list`. */
export function describeResourceTemplates(): readonly object[] {
  return Object.values(RESOURCE_FORMS).map(({ uriTemplate, name, description, mimeType }) => ({
    uriTemplate,
    name,
    description,
    mimeType,
  }));
}

/**
 * Reads a resource and returns the result of `resources/read`; null for a URI that no form has. Throws a `Fault`:
 * `not_found` for an unknown id.
 */
export async function readResource(operations: Operations, uri: string): Promise<object | null> {
  for (const form of Object.values(RESOURCE_FORMS)) {
    const { uriTemplate, mimeType } = form;
    const [prefix = "", suffix = ""] = uriTemplate.split("{id}");
    if (!uri.startsWith(prefix) || !uri.endsWith(suffix)) continue;
    const id = uri.slice(prefix.length, uri.length - suffix.length);
    // All ids consist of these characters. The operations check the ids of pages and datasets further.
    if (isConversationId(id)) return { contents: [{ uri, mimeType, text: await form.read(operations, id) }] };
  }
  return null;
}
