// Reads the list of tools of an MCP server. Each tool is validated alone: a tool that cannot be used is left out and
// told, and the others stay available.

import type { Tool as ListedMcpTool } from "@modelcontextprotocol/client";
import * as z from "zod";
import { createMessage, type Message, type MessageKey } from "../../../language/messages.ts";
import { toSingleLine } from "../../../lib/single-line.ts";

export type { ListedMcpTool };

/** The usable tools, and sentences for the person about the others. */
export type McpToolList = { readonly tools: readonly ListedMcpTool[]; readonly notes: readonly Message[] };

/** One page of the list. Rejects if the server sends none. */
export type RequestToolPage = (cursor: string | undefined) => Promise<ToolPage>;

/** The result of `tools/list`. The tools are validated one by one. */
export const toolPageSchema = z.object({
  tools: z.array(z.unknown()),
  nextCursor: z.nullish(z.string()),
});
export type ToolPage = z.infer<typeof toolPageSchema>;

/** The limits of a whole list: pages, tools, and characters of all definitions as JSON. */
const LIST_LIMITS = { pages: 20, tools: 1_000, chars: 2 * 1024 * 1024 };
/** The maximum length of a name in MCP. */
const MAX_NAME_CHARS = 128;
/** The maximum length of a tool's input schema as JSON. */
const MAX_SCHEMA_CHARS = 32 * 1024;
/** The maximum number of names in a note, and of characters of each. */
const TOLD_NAMES = { count: 5, chars: 64 };

/** A name that can be mapped to a name for models: visible characters, at least one of them a letter or digit. */
const USABLE_NAME = /^(?=.*[\p{L}\p{N}])[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]+$/u;

const optionalTextSchema = z.nullish(z.string()).transform((text) => text ?? undefined);
const listedToolSchema = z.object({
  name: z.string().max(MAX_NAME_CHARS).regex(USABLE_NAME),
  title: optionalTextSchema,
  description: optionalTextSchema,
  inputSchema: z.looseObject({ type: z.literal("object").default("object") }),
  annotations: z.nullish(z.object({ destructiveHint: z.nullish(z.boolean()), readOnlyHint: z.nullish(z.boolean()) })),
});

/** The reasons for leaving a tool out, in the order of the notes. */
const NOTE_KEYS = {
  invalid: "mcpServer.toolsInvalid",
  repeated: "mcpServer.toolsRepeated",
  tooLarge: "mcpServer.toolsTooLarge",
} as const satisfies Record<string, MessageKey>;
type LeaveOutReason = keyof typeof NOTE_KEYS;

/** Reads the pages of the list, up to `LIST_LIMITS`. Rejects with the error of a page. */
export async function readToolList(requestPage: RequestToolPage): Promise<McpToolList> {
  const tools = new Map<string, ListedMcpTool>();
  const leftOut = new Map<LeaveOutReason, string[]>();
  let total = 0;
  let chars = 0;
  let cursor: string | undefined;
  for (let page = 0; page < LIST_LIMITS.pages; page += 1) {
    const { tools: listed, nextCursor } = await requestPage(cursor);
    for (const value of listed) {
      const size = JSON.stringify(value).length;
      total += 1;
      chars += size;
      if (total > LIST_LIMITS.tools || chars > LIST_LIMITS.chars) return createList(tools, leftOut, total - 1);
      const parsed = parseListedTool(value, size, tools);
      if (typeof parsed === "string") leftOut.set(parsed, [...(leftOut.get(parsed) ?? []), readName(value)]);
      else tools.set(parsed.name, parsed);
    }
    if (typeof nextCursor !== "string" || nextCursor === cursor) return createList(tools, leftOut);
    cursor = nextCursor;
  }
  return createList(tools, leftOut, total);
}

/** Returns the tool without members that are not used here, or the reason for leaving it out. */
function parseListedTool(
  value: unknown,
  size: number,
  known: ReadonlyMap<string, unknown>,
): ListedMcpTool | LeaveOutReason {
  const { success, data } = listedToolSchema.safeParse(value);
  if (!success) return "invalid";
  if (known.has(data.name)) return "repeated";
  const { annotations, ...tool } = data;
  // The schema is only measured if the whole definition may be too large.
  if (size > MAX_SCHEMA_CHARS && JSON.stringify(tool.inputSchema).length > MAX_SCHEMA_CHARS) return "tooLarge";
  return {
    ...tool,
    annotations: {
      destructiveHint: annotations?.destructiveHint ?? undefined,
      readOnlyHint: annotations?.readOnlyHint ?? undefined,
    },
  };
}

function readName(value: unknown): string {
  const name = typeof value === "object" && value !== null && "name" in value ? value.name : "";
  return typeof name === "string" ? name : "";
}

/** `limit` is the number of tools after which the list was cut; without it, the list was complete. */
function createList(
  tools: ReadonlyMap<string, ListedMcpTool>,
  leftOut: ReadonlyMap<LeaveOutReason, readonly string[]>,
  limit?: number,
): McpToolList {
  const notes = (Object.keys(NOTE_KEYS) as LeaveOutReason[]).flatMap((reason) => {
    const names = leftOut.get(reason) ?? [];
    return names.length === 0
      ? []
      : [createMessage(NOTE_KEYS[reason], { count: names.length, names: quoteNames(names) })];
  });
  const cut = limit === undefined ? [] : [createMessage("mcpServer.toolListCut", { limit })];
  return { tools: [...tools.values()], notes: [...notes, ...cut] };
}

function quoteNames(names: readonly string[]): string[] {
  const told = names.slice(0, TOLD_NAMES.count).map((name) => `“${toSingleLine(name, TOLD_NAMES.chars)}”`);
  return names.length > told.length ? [...told, "…"] : told;
}
