// The columns of stored tools, their decoding, and the validation of new ones.

import * as z from "zod";
import { exceedsBytes } from "../lib/text-size.ts";
import {
  TOOL_NAME_PATTERN,
  storedToolSchema,
  toolSummarySchema,
  type StoredTool,
  type ToolSummary,
} from "../protocol/tools/stored-tool.ts";

const MAX_FIELD_BYTES = 16_384;

const withMaxBytes = <T>(schema: z.ZodType<T>) =>
  schema.refine(
    (value) => !exceedsBytes(typeof value === "string" ? value : JSON.stringify(value), MAX_FIELD_BYTES),
    `must not exceed ${MAX_FIELD_BYTES} bytes`,
  );

/** The schema of a tool that can be stored. */
export const toolDraftSchema = z.object({
  name: z.string().regex(TOOL_NAME_PATTERN, "must begin with a letter and have only a-z, 0-9 and _, at most 64"),
  description: z.string().min(1).max(4_000),
  category: storedToolSchema.shape.category,
  parameters: withMaxBytes(storedToolSchema.shape.parameters),
  returns: withMaxBytes(storedToolSchema.shape.parameters).optional(),
  code: withMaxBytes(storedToolSchema.shape.code),
  hash: z.string().min(1).max(128),
});

/** The columns of a whole tool; joins `tool` and the selected `version`. */
export const TOOL_COLUMNS = `tool.name, version.description, version.category, version.parameters, version.returns,
  version.code, version.version, version.hash, tool.uses, tool.last_run, tool.created_at, version.created_at AS updated_at`;

/** The columns of a tool in a list. */
export const TOOL_SUMMARY_COLUMNS = `tool.name, tool.description, tool.category, tool.version, tool.uses, tool.last_run,
  tool.created_at, tool.updated_at`;

/** Joins the current version to `tool`. */
export const JOIN_CURRENT_VERSION = `JOIN tool_version AS version
  ON version.tool_id = tool.tool_id AND version.version = tool.version`;

export type ToolRow = Readonly<Record<string, unknown>>;

/** Decodes a row of `TOOL_COLUMNS`. Throws a `ZodError` for any other row. */
export function decodeTool({ parameters, returns, last_run, ...row }: ToolRow): StoredTool {
  return storedToolSchema.parse({
    ...row,
    parameters: parseJson(parameters),
    ...(returns === null ? {} : { returns: parseJson(returns) }),
    last_run: parseJson(last_run),
  });
}

/** Decodes a row of `TOOL_SUMMARY_COLUMNS`. Throws a `ZodError` for any other row. */
export function decodeToolSummary({ last_run, ...row }: ToolRow): ToolSummary {
  return toolSummarySchema.parse({ ...row, last_run: parseJson(last_run) });
}

function parseJson(json: unknown): unknown {
  return JSON.parse(String(json));
}

/** The maximum length of one bound JSON value, in UTF-16 units of at most three bytes: D1 limits a value to 2 MB. */
const MAX_LIST_CHARS = 500_000;

/** Groups JSON texts, in order, into JSON arrays within the length limit. A longer text gets an array of its own. */
export function splitJsonLists(texts: readonly string[]): string[] {
  const lists: string[][] = [];
  let left = 0;
  for (const text of texts) {
    if (text.length + 1 > left) {
      lists.push([]);
      left = MAX_LIST_CHARS;
    }
    lists.at(-1)?.push(text);
    left -= text.length + 1;
  }
  return lists.map((list) => `[${list.join(",")}]`);
}
