// The D1 rows of tools: code that a user's toolsmith has written, run successfully, and stored. Writes of one call are
// one batch, which D1 runs as a transaction.
//
// Invariants:
//   R1. Each stored code is a version and stays one, also if another code is stored under the same name concurrently.
//   R2. A tool, its versions and its index row are created and deleted together.

import type * as z from "zod";
import { Fault, parseWith } from "../protocol/fault.ts";
import {
  DEFAULT_MAX_TOOLS,
  toolWithVersionsSchema,
  type Tool,
  type ToolCategory,
  type ToolSummary,
  type ToolWithVersions,
} from "../protocol/tools.ts";
import {
  decodedSummary,
  decodedTool,
  draftSchema,
  SUMMARY_COLUMNS,
  TOOL_COLUMNS,
  WITH_CURRENT,
  type Row,
} from "./tool-rows.ts";
import { expressionFor, indexRowOf } from "./tool-words.ts";

/** A tool to store after a successful run. */
export type ToolDraft = z.infer<typeof draftSchema>;

/**
 * The position of a page: in a list, `created_at` and name of the last tool; in a search, `at` is the number of tools
 * before.
 */
export type ToolPlace = { readonly at: number; readonly id: string };

const MOST_ERROR = 1_000;
/** The number of versions kept per tool. */
const MOST_VERSIONS = 100;
/** The number of matches that are ranked further. */
const MOST_MATCHES = 50;

// CROSS JOIN fixes the join order: index matches first, then their tools.

/** The relevance of an index row; lower is better. Names have the highest weight. */
const SCORE = `bm25(tool_index, 3.0, 1.0, 0.2)`;
/** A matching category raises the rank but is not required: a model may classify the same tool differently later. */
const SAME_CATEGORY = 1.5;

/**
 * Returns the tools that may do what a text asks for, best first: matches of the text, then the most used tools of the
 * category, because tools described in another language do not match.
 */
export async function searchTools(
  db: D1Database,
  userId: string,
  { text, category }: { readonly text: string; readonly category: ToolCategory },
  limit: number,
): Promise<Tool[]> {
  const expression = await expressionFor(userId, text);
  const mostUsed = db
    .prepare(
      `SELECT ${TOOL_COLUMNS} FROM tool ${WITH_CURRENT}
       WHERE tool.user_id = ? AND tool.category = ? ORDER BY tool.uses DESC LIMIT ?`,
    )
    .bind(userId, category, limit);
  const matching =
    expression === null
      ? []
      : [
          db
            .prepare(
              `SELECT ${TOOL_COLUMNS} FROM (SELECT rowid, ${SCORE} AS score FROM tool_index
                 WHERE tool_index MATCH ? ORDER BY score LIMIT ${MOST_MATCHES}) AS found
               CROSS JOIN tool ON tool.tool_id = found.rowid ${WITH_CURRENT} WHERE tool.user_id = ?
               ORDER BY score * iif(tool.category = ?, ${SAME_CATEGORY}, 1), tool.uses DESC LIMIT ?`,
            )
            .bind(expression, userId, category, limit),
        ];
  const results = await db.batch<Row>([...matching, mostUsed]);
  const byName = new Map(results.flatMap((result) => result.results).map((row) => [row["name"], row]));
  return [...byName.values()].slice(0, limit).map(decodedTool);
}

type Page = { readonly tools: ToolSummary[]; readonly next: ToolPlace | null };
/** Filters the listed tools; without members, all are listed. */
export type ToolsWanted = { readonly text?: string | undefined; readonly category?: ToolCategory | undefined };

/** Returns a page of a user's tools: newest first or, with `text`, best match first. */
export async function listTools(
  db: D1Database,
  userId: string,
  limit: number,
  after: ToolPlace | null,
  { text, category }: ToolsWanted = {},
): Promise<Page> {
  const ofCategory = `user_id = ?1 AND (?2 IS NULL OR category = ?2)`;
  if (text === undefined) {
    const query = db.prepare(
      `SELECT ${SUMMARY_COLUMNS} FROM tool WHERE ${ofCategory} AND (created_at, name) < (?3, ?4)
       ORDER BY created_at DESC, name DESC LIMIT ?5`,
    );
    const { at, id } = after ?? { at: Number.MAX_SAFE_INTEGER, id: "" };
    const { results } = await query.bind(userId, category ?? null, at, id, limit).all<Row>();
    return pageOf(results, limit, ({ created_at, name }) => ({ at: created_at, id: name }));
  }
  const expression = await expressionFor(userId, text);
  if (expression === null) return { tools: [], next: null };
  const query = db.prepare(
    `SELECT ${SUMMARY_COLUMNS} FROM tool_index CROSS JOIN tool ON tool.tool_id = tool_index.rowid
     WHERE tool_index MATCH ?3 AND ${ofCategory} ORDER BY ${SCORE}, tool_id LIMIT ?5 OFFSET ?4`,
  );
  const passed = after?.at ?? 0;
  const { results } = await query.bind(userId, category ?? null, expression, passed, limit).all<Row>();
  return pageOf(results, limit, () => ({ at: passed + limit, id: "" }));
}

/** Returns a page; `next` is null if it is not full. */
function pageOf(rows: readonly Row[], limit: number, after: (last: ToolSummary) => ToolPlace): Page {
  const tools = rows.map(decodedSummary);
  const last = tools.length < limit ? undefined : tools.at(-1);
  return { tools, next: last === undefined ? null : after(last) };
}

/** Returns the current or the given version of a tool with the list of its versions; null if it does not exist. */
export async function toolWithVersions(
  db: D1Database,
  userId: string,
  name: string,
  version?: number,
): Promise<ToolWithVersions | null> {
  const [found, versions] = await db.batch<Row>([
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
  return toolWithVersionsSchema.parse({ ...decodedTool(row), versions: versions?.results });
}

/**
 * R1. Stores a tool after a successful run, which counts as a use. If the code is current already, only the use is
 *     recorded; other code becomes the next version. Throws `too_many_requests` beyond `most` tools, and
 *     `invalid_request` for an invalid draft.
 */
export async function keepTool(
  db: D1Database,
  userId: string,
  draft: ToolDraft,
  at: number,
  most: number = DEFAULT_MAX_TOOLS,
): Promise<Tool> {
  const { name, description, category, parameters, returns, code, hash } = parseWith(draftSchema, draft);
  const index = await indexRowOf(userId, name, description);
  const body = { name, description, category, parameters, returns, code, hash, at, most, index };
  const given = JSON.stringify({ ...body, last_run: { status: "completed", at } });
  const results = await db.batch<Row>(KEEP.map((query) => db.prepare(query).bind(userId, given)));
  const row = results.at(-1)?.results[0];
  if (row === undefined) {
    throw new Fault("too_many_requests", `You have ${most} tools, which is the most. Delete one to keep another.`);
  }
  return decodedTool(row);
}

const MINE = `tool.user_id = ?1 AND tool.name = ?2 ->> 'name'`;

/** One transaction: remove an outdated index row, then write tool, version and index where they differ. */
const KEEP = [
  `DELETE FROM tool_index WHERE rowid = (SELECT tool_id FROM tool WHERE ${MINE} AND hash <> ?2 ->> 'hash')`,
  `INSERT INTO tool (user_id, name, description, category, version, hash, uses, last_run, created_at, updated_at)
   SELECT ?1, ?2 ->> 'name', ?2 ->> 'description', ?2 ->> 'category', 1, ?2 ->> 'hash', 1, ?2 -> 'last_run', ?2 ->> 'at', ?2 ->> 'at'
   WHERE EXISTS (SELECT 1 FROM tool WHERE ${MINE})
     OR (SELECT count(*) FROM tool WHERE user_id = ?1) < ?2 ->> 'most'
   ON CONFLICT (user_id, name) DO UPDATE
   SET uses = uses + 1, last_run = excluded.last_run, hash = excluded.hash, version = version + (hash <> excluded.hash),
     description = iif(hash = excluded.hash, description, excluded.description),
     category = iif(hash = excluded.hash, category, excluded.category),
     updated_at = iif(hash = excluded.hash, updated_at, excluded.updated_at)`,
  `INSERT INTO tool_version (tool_id, version, hash, created_at, category, description, parameters, returns, code)
   SELECT tool_id, version, hash, ?2 ->> 'at', category, description, ?2 -> 'parameters', ?2 -> 'returns', ?2 ->> 'code'
   FROM tool WHERE ${MINE}
   ON CONFLICT (tool_id, version) DO NOTHING`,
  `DELETE FROM tool_version WHERE tool_id = (SELECT tool_id FROM tool WHERE ${MINE})
     AND version <= (SELECT version FROM tool WHERE ${MINE}) - ${MOST_VERSIONS}`,
  `INSERT INTO tool_index (rowid, name, words, hints)
   SELECT tool_id, ?2 ->> '$.index.name', ?2 ->> '$.index.words', ?2 ->> '$.index.hints'
   FROM tool WHERE ${MINE} AND NOT EXISTS (SELECT 1 FROM tool_index WHERE tool_index.rowid = tool.tool_id)`,
  `SELECT ${TOOL_COLUMNS} FROM tool ${WITH_CURRENT} WHERE ${MINE}`,
];

/** Records a use and its outcome. Does nothing if the tool was deleted. */
export async function noteRun(db: D1Database, userId: string, name: string, lastRun: Tool["last_run"]): Promise<void> {
  const { error, ...run } = lastRun;
  const noted = error === undefined ? run : { ...run, error: error.slice(0, MOST_ERROR) };
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
