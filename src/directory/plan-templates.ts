// The D1 rows of plan templates.
//
// Invariants:
//   U1. Every statement names the user: nobody's template or instance can be told from none by anybody else.
//   P1. A version is written once, and only over the version that it is based on.

import type { AgentCard } from "../protocol/agent.ts";
import {
  planConfigSchema,
  planTemplateSchema,
  planTemplateSummarySchema,
  planVersionsSchema,
  type PlanConfig,
  type PlanTemplate,
  type PlanTemplateSummary,
  type PlanVersions,
  type TemplateStatus,
} from "../protocol/plan-template.ts";
import { Recent } from "./recent.ts";

/** A configuration that has all its names. */
export type NamedConfig = PlanConfig & { readonly plan_id: string; readonly main_task_id: string };

/** Where a page begins: after the last template of the page before. */
export type TemplatePlace = { readonly at: number; readonly id: string };

export type TemplatesWanted = { readonly status?: TemplateStatus | undefined; readonly search?: string | undefined };

type Row = Readonly<Record<string, unknown>>;

const released = new Recent<readonly AgentCard[]>();

/** Templates that one person may keep. */
export const MOST_TEMPLATES = 1_000;
/** Versions of one template. */
const MOST_VERSIONS = 1_000;

const SUMMARY = "plan_id, version, status, name, description, main_task_id, created_at, updated_at";
const WHOLE = `SELECT template.status, template.created_at, version.version, version.created_at AS versioned_at,
  template.updated_at, template.version AS current, version.config
  FROM plan_template AS template JOIN plan_version AS version USING (user_id, plan_id)
  WHERE template.user_id = ?1 AND template.plan_id = ?2 AND version.version = coalesce(?3, template.version)`;

/** Keeps a new template as version 1. `taken` when its name is in use, `full` when there are as many as may be. */
export async function addTemplate(
  db: D1Database,
  userId: string,
  config: NamedConfig,
  status: TemplateStatus,
  at: number,
): Promise<"added" | "taken" | "full"> {
  const given = JSON.stringify({ ...config, status, at });
  const [added, , taken] = await db.batch<Row>(
    [
      `INSERT INTO plan_template (user_id, ${SUMMARY})
       SELECT ?1, ?2 ->> 'plan_id', 1, ?2 ->> 'status', ?2 ->> 'name', ?2 ->> 'description', ?2 ->> 'main_task_id',
         ?2 ->> 'at', ?2 ->> 'at'
       WHERE (SELECT count(*) FROM plan_template WHERE user_id = ?1) < ${MOST_TEMPLATES}
       ON CONFLICT (user_id, plan_id) DO NOTHING RETURNING plan_id`,
      `INSERT INTO plan_version (user_id, plan_id, version, name, created_at, config)
       SELECT user_id, plan_id, 1, name, created_at, json_remove(?2, '$.status', '$.at')
       FROM plan_template WHERE user_id = ?1 AND plan_id = ?2 ->> 'plan_id'
       ON CONFLICT (user_id, plan_id, version) DO NOTHING`,
      `SELECT plan_id FROM plan_template WHERE user_id = ?1 AND plan_id = ?2 ->> 'plan_id'`,
    ].map((query) => db.prepare(query).bind(userId, given)),
  );
  released.forget(userId);
  if (added?.results.length === 1) return "added";
  return taken?.results.length === 1 ? "taken" : "full";
}

/** P1. Makes the next version. False when the one that it is based on is not the current one, or the template archived. */
export async function addVersion(
  db: D1Database,
  userId: string,
  config: NamedConfig,
  basedOn: number,
  at: number,
): Promise<boolean> {
  const given = JSON.stringify({ ...config, basedOn, at });
  const mine = `user_id = ?1 AND plan_id = ?2 ->> 'plan_id'`;
  const [updated] = await db.batch<Row>(
    [
      `UPDATE plan_template SET version = version + 1, name = ?2 ->> 'name', description = ?2 ->> 'description',
         main_task_id = ?2 ->> 'main_task_id', updated_at = ?2 ->> 'at'
       WHERE ${mine} AND version = ?2 ->> 'basedOn' AND version < ${MOST_VERSIONS} AND status <> 'archived'
       RETURNING version`,
      `INSERT INTO plan_version (user_id, plan_id, version, name, created_at, config)
       SELECT user_id, plan_id, version, name, ?2 ->> 'at', json_remove(?2, '$.basedOn', '$.at')
       FROM plan_template WHERE ${mine} AND version = (?2 ->> 'basedOn') + 1
       ON CONFLICT (user_id, plan_id, version) DO NOTHING`,
    ].map((query) => db.prepare(query).bind(userId, given)),
  );
  released.forget(userId);
  return updated?.results.length === 1;
}

/** False when there is no such template. */
export async function setTemplateStatus(
  db: D1Database,
  userId: string,
  planId: string,
  status: TemplateStatus,
  at: number,
): Promise<boolean> {
  const query = db.prepare(
    `UPDATE plan_template SET status = ?3, updated_at = iif(status = ?3, updated_at, ?4)
     WHERE user_id = ?1 AND plan_id = ?2 RETURNING plan_id`,
  );
  const { results } = await query.bind(userId, planId, status, at).all();
  released.forget(userId);
  return results.length === 1;
}

/** A template as its current version, or the given one, has it. Null when there is no such template or version. */
export async function planTemplate(
  db: D1Database,
  userId: string,
  planId: string,
  version?: number,
): Promise<PlanTemplate | null> {
  const row = await db
    .prepare(WHOLE)
    .bind(userId, planId, version ?? null)
    .first<Row>();
  return row === null ? null : decoded(row);
}

/** The newest first; without the archived ones unless they are asked for. `search` looks for words as they are written. */
export async function listTemplates(
  db: D1Database,
  userId: string,
  limit: number,
  after: TemplatePlace | null,
  { status, search }: TemplatesWanted = {},
): Promise<PlanTemplateSummary[]> {
  const { at, id } = after ?? { at: Number.MAX_SAFE_INTEGER, id: "" };
  const query = db.prepare(
    `SELECT ${SUMMARY} FROM plan_template
     WHERE user_id = ?1 AND (created_at, plan_id) < (?2, ?3) AND iif(?4 IS NULL, status <> 'archived', status = ?4)
       AND (?5 IS NULL OR instr(lower(name || char(10) || description || char(10) || plan_id), lower(?5)) > 0)
     ORDER BY created_at DESC, plan_id DESC LIMIT ?6`,
  );
  const { results } = await query.bind(userId, at, id, status ?? null, search ?? null, limit).all<Row>();
  return results.map((row) => planTemplateSummarySchema.parse(row));
}

/** Null when there is no such template. */
export async function templateVersions(db: D1Database, userId: string, planId: string): Promise<PlanVersions | null> {
  const query = `SELECT version, name, created_at FROM plan_version WHERE user_id = ? AND plan_id = ? ORDER BY version DESC`;
  const { results } = await db.prepare(query).bind(userId, planId).all<Row>();
  return results.length === 0 ? null : planVersionsSchema.parse({ versions: results });
}

/** The released templates of a user as agents, as `Recent` has them. */
export function releasedTemplates(db: D1Database, userId: string): Promise<readonly AgentCard[]> {
  return released.of(userId, async () => {
    const query = `SELECT plan_id, name, description, version FROM plan_template WHERE user_id = ? AND status = 'released' ORDER BY plan_id`;
    const { results } = await db
      .prepare(query)
      .bind(userId)
      .all<{ plan_id: string; name: string; description: string; version: number }>();
    return results.map(cardOf);
  });
}

/** A template as an agent. */
export function cardOf({
  plan_id,
  name,
  description,
  version,
}: Pick<PlanTemplate, "plan_id" | "name" | "description" | "version">): AgentCard {
  return {
    name: plan_id,
    display_name: name,
    description: description === "" ? name : description,
    version: `${version}.0.0`,
    skills: [],
    capabilities: { streaming: true, push_notifications: false },
    planner_passthrough: false,
    hidden: false,
  };
}

function decoded({ config, current, versioned_at, updated_at, ...row }: Row): PlanTemplate {
  const isCurrent = row["version"] === current;
  return planTemplateSchema.parse({
    ...planConfigSchema.parse(JSON.parse(String(config))),
    ...row,
    updated_at: isCurrent ? updated_at : versioned_at,
  });
}
