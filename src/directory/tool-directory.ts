// The D1 rows of tools: code that a user's toolsmith has written, run successfully, and stored. Writes of one call are
// one batch, which D1 runs as a transaction.
//
// Invariants:
//   R1. Each stored code is a version and stays one, also if another code is stored under the same name concurrently.
//   R2. A tool, its versions and its index row are created and deleted together.

import type * as z from "zod";
import { createMessage } from "../language/messages.ts";
import { createFault } from "../protocol/wire/message-error.ts";
import { parseOrThrow } from "../protocol/wire/fault.ts";
import {
  DEFAULT_MAX_TOOLS,
  toolWithVersionsSchema,
  type StoredTool,
  type ToolCategory,
  type ToolSummary,
  type ToolWithVersions,
} from "../protocol/tools/stored-tool.ts";
import { LIST_START, type ListPosition } from "./list-position.ts";
import {
  decodeToolSummary,
  decodeTool,
  toolDraftSchema,
  TOOL_SUMMARY_COLUMNS,
  TOOL_COLUMNS,
  JOIN_CURRENT_VERSION,
  type ToolRow,
} from "./tool-rows.ts";
import { buildSearchExpression, createToolIndexRow } from "./tool-search-terms.ts";

/** A tool to store after a successful run. */
export type ToolDraft = z.infer<typeof toolDraftSchema>;

const MAX_ERROR_CHARS = 1_000;
const MAX_TOOL_VERSIONS = 100;
/** The number of matches that are ranked further. */
const MAX_MATCHES = 50;

// CROSS JOIN fixes the join order: index matches first, then their tools.

/** The relevance of an index row; lower is better. Names have the highest weight. */
const RELEVANCE = `bm25(tool_index, 3.0, 1.0, 0.2)`;
/** A matching category raises the rank but is not required: a model may classify the same tool differently later. */
const SAME_CATEGORY_FACTOR = 1.5;

/**
 * Returns at most `limit` tools that may do what a text asks for, best first: matches of the text, then the most used
 * tools of the category, because tools described in another language do not match.
 */
export async function searchTools(
  db: D1Database,
  userId: string,
  { text, category }: { readonly text: string; readonly category: ToolCategory },
  limit: number,
): Promise<StoredTool[]> {
  const expression = await buildSearchExpression(userId, text);
  const mostUsed = db
    .prepare(
      `SELECT ${TOOL_COLUMNS} FROM tool ${JOIN_CURRENT_VERSION}
       WHERE tool.user_id = ? AND tool.category = ? ORDER BY tool.uses DESC LIMIT ?`,
    )
    .bind(userId, category, limit);
  const matching =
    expression === null
      ? []
      : [
          db
            .prepare(
              `SELECT ${TOOL_COLUMNS} FROM (SELECT rowid, ${RELEVANCE} AS score FROM tool_index
                 WHERE tool_index MATCH ? ORDER BY score LIMIT ${MAX_MATCHES}) AS found
               CROSS JOIN tool ON tool.tool_id = found.rowid ${JOIN_CURRENT_VERSION} WHERE tool.user_id = ?
               ORDER BY score * iif(tool.category = ?, ${SAME_CATEGORY_FACTOR}, 1), tool.uses DESC LIMIT ?`,
            )
            .bind(expression, userId, category, limit),
        ];
  const results = await db.batch<ToolRow>([...matching, mostUsed]);
  const byName = new Map(results.flatMap((result) => result.results).map((row) => [row["name"], row]));
  return [...byName.values()].slice(0, limit).map(decodeTool);
}

type ToolListing = { readonly tools: ToolSummary[]; readonly next: ListPosition | null };
/** Filters the listed tools; without members, all are listed. */
export type ToolFilter = { readonly text?: string | undefined; readonly category?: ToolCategory | undefined };

/**
 * Returns a page of a user's tools: newest first or, with `text`, best match first. A text without terms matches none.
 * In a search, `at` is the number of tools before the page.
 */
export async function listTools(
  db: D1Database,
  userId: string,
  limit: number,
  after: ListPosition | null,
  { text, category }: ToolFilter = {},
): Promise<ToolListing> {
  const ofCategory = `user_id = ?1 AND (?2 IS NULL OR category = ?2)`;
  if (text === undefined) {
    const query = db.prepare(
      `SELECT ${TOOL_SUMMARY_COLUMNS} FROM tool WHERE ${ofCategory} AND (created_at, name) < (?3, ?4)
       ORDER BY created_at DESC, name DESC LIMIT ?5`,
    );
    const { at, id } = after ?? LIST_START;
    const { results } = await query.bind(userId, category ?? null, at, id, limit).all<ToolRow>();
    return toToolListing(results, limit, ({ created_at, name }) => ({ at: created_at, id: name }));
  }
  const expression = await buildSearchExpression(userId, text);
  if (expression === null) return { tools: [], next: null };
  const query = db.prepare(
    `SELECT ${TOOL_SUMMARY_COLUMNS} FROM tool_index CROSS JOIN tool ON tool.tool_id = tool_index.rowid
     WHERE tool_index MATCH ?3 AND ${ofCategory} ORDER BY ${RELEVANCE}, tool_id LIMIT ?5 OFFSET ?4`,
  );
  const passed = after?.at ?? 0;
  const { results } = await query.bind(userId, category ?? null, expression, passed, limit).all<ToolRow>();
  return toToolListing(results, limit, () => ({ at: passed + limit, id: "" }));
}

function toToolListing(
  rows: readonly ToolRow[],
  limit: number,
  after: (last: ToolSummary) => ListPosition,
): ToolListing {
  const tools = rows.map(decodeToolSummary);
  const last = tools.length < limit ? undefined : tools.at(-1);
  return { tools, next: last === undefined ? null : after(last) };
}

/** Returns the current or the given version of a tool with the list of its versions; null if it does not exist. */
export async function getToolWithVersions(
  db: D1Database,
  userId: string,
  name: string,
  version?: number,
): Promise<ToolWithVersions | null> {
  const [found, versions] = await db.batch<ToolRow>([
    db
      .prepare(
        `SELECT ${TOOL_COLUMNS} FROM tool JOIN tool_version AS version USING (tool_id)
         WHERE user_id = ? AND name = ? AND version.version = coalesce(?, tool.version)`,
      )
      .bind(userId, name, version ?? null),
    db
      .prepare(
        `SELECT version, hash, created_at FROM tool_version
         WHERE tool_id = (SELECT tool_id FROM tool WHERE user_id = ? AND name = ?) ORDER BY version DESC`,
      )
      .bind(userId, name),
  ]);
  const row = found?.results[0];
  if (row === undefined) return null;
  return toolWithVersionsSchema.parse({ ...decodeTool(row), versions: versions?.results });
}

/**
 * R1. Stores a tool after a successful run, which counts as a use. If the code is current already, only the use is
 *     recorded; other code becomes the next version. Throws `too_many_requests` if the user has `limit` tools already,
 *     and `invalid_request` for an invalid draft. `at` is in ms since the epoch.
 */
export async function saveTool(
  db: D1Database,
  userId: string,
  draft: ToolDraft,
  at: number,
  limit: number = DEFAULT_MAX_TOOLS,
): Promise<StoredTool> {
  const { name, description, category, parameters, returns, code, hash } = parseOrThrow(toolDraftSchema, draft);
  const index = await createToolIndexRow(userId, name, description);
  const body = { name, description, category, parameters, returns, code, hash, at, most: limit, index };
  const input = JSON.stringify({ ...body, last_run: { status: "completed", at } });
  const results = await db.batch<ToolRow>(SAVE_TOOL_QUERIES.map((query) => db.prepare(query).bind(userId, input)));
  const row = results.at(-1)?.results[0];
  if (row === undefined) {
    throw createFault("too_many_requests", createMessage("tool.limitReached", { max: limit }));
  }
  return decodeTool(row);
}

const IS_OWN_TOOL = `tool.user_id = ?1 AND tool.name = ?2 ->> 'name'`;

/** One transaction: remove an outdated index row, then write tool, version and index where they differ. */
const SAVE_TOOL_QUERIES = [
  `DELETE FROM tool_index WHERE rowid = (SELECT tool_id FROM tool WHERE ${IS_OWN_TOOL} AND hash <> ?2 ->> 'hash')`,
  `INSERT INTO tool (user_id, name, description, category, version, hash, uses, last_run, created_at, updated_at)
   SELECT ?1, ?2 ->> 'name', ?2 ->> 'description', ?2 ->> 'category', 1, ?2 ->> 'hash', 1, ?2 -> 'last_run', ?2 ->> 'at', ?2 ->> 'at'
   WHERE EXISTS (SELECT 1 FROM tool WHERE ${IS_OWN_TOOL})
     OR (SELECT count(*) FROM tool WHERE user_id = ?1) < ?2 ->> 'most'
   ON CONFLICT (user_id, name) DO UPDATE
   SET uses = uses + 1, last_run = excluded.last_run, hash = excluded.hash, version = version + (hash <> excluded.hash),
     description = iif(hash = excluded.hash, description, excluded.description),
     category = iif(hash = excluded.hash, category, excluded.category),
     updated_at = iif(hash = excluded.hash, updated_at, excluded.updated_at)`,
  `INSERT INTO tool_version (tool_id, version, hash, created_at, category, description, parameters, returns, code)
   SELECT tool_id, version, hash, ?2 ->> 'at', category, description, ?2 -> 'parameters', ?2 -> 'returns', ?2 ->> 'code'
   FROM tool WHERE ${IS_OWN_TOOL}
   ON CONFLICT (tool_id, version) DO NOTHING`,
  `DELETE FROM tool_version WHERE tool_id = (SELECT tool_id FROM tool WHERE ${IS_OWN_TOOL})
     AND version <= (SELECT version FROM tool WHERE ${IS_OWN_TOOL}) - ${MAX_TOOL_VERSIONS}`,
  `INSERT INTO tool_index (rowid, name, words, hints)
   SELECT tool_id, ?2 ->> '$.index.name', ?2 ->> '$.index.words', ?2 ->> '$.index.hints'
   FROM tool WHERE ${IS_OWN_TOOL} AND NOT EXISTS (SELECT 1 FROM tool_index WHERE tool_index.rowid = tool.tool_id)`,
  `SELECT ${TOOL_COLUMNS} FROM tool ${JOIN_CURRENT_VERSION} WHERE ${IS_OWN_TOOL}`,
];

/** Counts a use and stores its outcome as the last run. Does nothing if the tool was deleted. */
export async function recordToolRun(
  db: D1Database,
  userId: string,
  name: string,
  lastRun: StoredTool["last_run"],
): Promise<void> {
  const { error, ...run } = lastRun;
  const noted = error === undefined ? run : { ...run, error: error.slice(0, MAX_ERROR_CHARS) };
  await db
    .prepare(`UPDATE tool SET uses = uses + 1, last_run = ? WHERE user_id = ? AND name = ?`)
    .bind(JSON.stringify(noted), userId, name)
    .run();
}

/** R2. Deletes a tool with its versions and index row. Returns false if it does not exist. */
export async function removeTool(db: D1Database, userId: string, name: string): Promise<boolean> {
  const id = `(SELECT tool_id FROM tool WHERE user_id = ?1 AND name = ?2)`;
  const results = await db.batch(
    [
      `DELETE FROM tool_index WHERE rowid = ${id}`,
      `DELETE FROM tool_version WHERE tool_id = ${id}`,
      `DELETE FROM tool WHERE user_id = ?1 AND name = ?2 RETURNING tool_id`,
    ].map((query) => db.prepare(query).bind(userId, name)),
  );
  return results.at(-1)?.results.length === 1;
}
