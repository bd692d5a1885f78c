// The D1 rows of plan templates (workflows) and their versions. The released ones are cached per isolate.
//
// Invariants:
//   U1. Every statement names the user: templates and instances of others cannot be distinguished from missing ones.
//   P1. A version is written once, and only if its base is the current version.

import type { AgentCard } from "../protocol/agents/agent.ts";
import {
  workflowConfigSchema,
  workflowTemplateSchema,
  workflowTemplateSummarySchema,
  workflowTemplateVersionsSchema,
  type WorkflowConfig,
  type WorkflowTemplate,
  type WorkflowTemplateSummary,
  type WorkflowTemplateVersions,
  type WorkflowTemplateStatus,
} from "../protocol/workflows/workflow-template.ts";
import { LIST_START, type ListPosition } from "./list-position.ts";
import { UserCache } from "./user-cache.ts";

/** A configuration with all its ids. */
export type IdentifiedPlanConfig = WorkflowConfig & { readonly plan_id: string; readonly main_task_id: string };

/** Filters the listed templates. */
export type TemplateFilter = {
  readonly status?: WorkflowTemplateStatus | undefined;
  readonly search?: string | undefined;
};

type TemplateRow = Readonly<Record<string, unknown>>;

const releasedCache = new UserCache<readonly AgentCard[]>();

/** The maximum number of templates per user. */
export const MAX_TEMPLATES = 1_000;
const MAX_TEMPLATE_VERSIONS = 1_000;

const TEMPLATE_SUMMARY_COLUMNS = "plan_id, version, status, name, description, main_task_id, created_at, updated_at";
const SELECT_TEMPLATE = `SELECT template.status, template.created_at, version.version, version.created_at AS versioned_at,
  template.updated_at, template.version AS current, version.config
  FROM plan_template AS template JOIN plan_version AS version USING (user_id, plan_id)
  WHERE template.user_id = ?1 AND template.plan_id = ?2 AND version.version = coalesce(?3, template.version)`;

/**
 * Adds a template as version 1, created `at` (ms since the epoch). Returns `taken` if its id exists, `full` if the user
 * has `MAX_TEMPLATES`; nothing is stored then.
 */
export async function addTemplate(
  db: D1Database,
  userId: string,
  config: IdentifiedPlanConfig,
  status: WorkflowTemplateStatus,
  at: number,
): Promise<"added" | "taken" | "full"> {
  const input = JSON.stringify({ ...config, status, at });
  const [added, , taken] = await db.batch<TemplateRow>(
    [
      `INSERT INTO plan_template (user_id, ${TEMPLATE_SUMMARY_COLUMNS})
       SELECT ?1, ?2 ->> 'plan_id', 1, ?2 ->> 'status', ?2 ->> 'name', ?2 ->> 'description', ?2 ->> 'main_task_id',
         ?2 ->> 'at', ?2 ->> 'at'
       WHERE (SELECT count(*) FROM plan_template WHERE user_id = ?1) < ${MAX_TEMPLATES}
       ON CONFLICT (user_id, plan_id) DO NOTHING RETURNING plan_id`,
      `INSERT INTO plan_version (user_id, plan_id, version, name, created_at, config)
       SELECT user_id, plan_id, 1, name, created_at, json_remove(?2, '$.status', '$.at')
       FROM plan_template WHERE user_id = ?1 AND plan_id = ?2 ->> 'plan_id'
       ON CONFLICT (user_id, plan_id, version) DO NOTHING`,
      `SELECT plan_id FROM plan_template WHERE user_id = ?1 AND plan_id = ?2 ->> 'plan_id'`,
    ].map((query) => db.prepare(query).bind(userId, input)),
  );
  releasedCache.invalidate(userId);
  if (added?.results.length === 1) return "added";
  return taken?.results.length === 1 ? "taken" : "full";
}

/**
 * P1. Adds the next version. Returns false if `basedOn` is not the current version, the template does not exist or is
 *     archived, or it has the maximum number of versions.
 */
export async function addTemplateVersion(
  db: D1Database,
  userId: string,
  config: IdentifiedPlanConfig,
  basedOn: number,
  at: number,
): Promise<boolean> {
  const input = JSON.stringify({ ...config, basedOn, at });
  const isOwnTemplate = `user_id = ?1 AND plan_id = ?2 ->> 'plan_id'`;
  const [updated] = await db.batch<TemplateRow>(
    [
      `UPDATE plan_template SET version = version + 1, name = ?2 ->> 'name', description = ?2 ->> 'description',
         main_task_id = ?2 ->> 'main_task_id', updated_at = ?2 ->> 'at'
       WHERE ${isOwnTemplate} AND version = ?2 ->> 'basedOn' AND version < ${MAX_TEMPLATE_VERSIONS} AND status <> 'archived'
       RETURNING version`,
      `INSERT INTO plan_version (user_id, plan_id, version, name, created_at, config)
       SELECT user_id, plan_id, version, name, ?2 ->> 'at', json_remove(?2, '$.basedOn', '$.at')
       FROM plan_template WHERE ${isOwnTemplate} AND version = (?2 ->> 'basedOn') + 1
       ON CONFLICT (user_id, plan_id, version) DO NOTHING`,
    ].map((query) => db.prepare(query).bind(userId, input)),
  );
  releasedCache.invalidate(userId);
  return updated?.results.length === 1;
}

/** Sets the status; `updated_at` changes only with it. Returns false if the template does not exist. */
export async function setTemplateStatus(
  db: D1Database,
  userId: string,
  planId: string,
  status: WorkflowTemplateStatus,
  at: number,
): Promise<boolean> {
  const query = db.prepare(
    `UPDATE plan_template SET status = ?3, updated_at = iif(status = ?3, updated_at, ?4)
     WHERE user_id = ?1 AND plan_id = ?2 RETURNING plan_id`,
  );
  const { results } = await query.bind(userId, planId, status, at).all();
  releasedCache.invalidate(userId);
  return results.length === 1;
}

/** Returns the current or the given version of a template, with the template's status; null if it does not exist. */
export async function getPlanTemplate(
  db: D1Database,
  userId: string,
  planId: string,
  version?: number,
): Promise<WorkflowTemplate | null> {
  const row = await db
    .prepare(SELECT_TEMPLATE)
    .bind(userId, planId, version ?? null)
    .first<TemplateRow>();
  return row === null ? null : decodeTemplate(row);
}

/**
 * Returns at most `limit` templates, newest first, after the cursor; archived ones only if `status` requests them.
 * `search` is a substring of name, description or id, ignoring ASCII case.
 */
export async function listTemplates(
  db: D1Database,
  userId: string,
  limit: number,
  after: ListPosition | null,
  { status, search }: TemplateFilter = {},
): Promise<WorkflowTemplateSummary[]> {
  const { at, id } = after ?? LIST_START;
  const query = db.prepare(
    `SELECT ${TEMPLATE_SUMMARY_COLUMNS} FROM plan_template
     WHERE user_id = ?1 AND (created_at, plan_id) < (?2, ?3) AND iif(?4 IS NULL, status <> 'archived', status = ?4)
       AND (?5 IS NULL OR instr(lower(name || char(10) || description || char(10) || plan_id), lower(?5)) > 0)
     ORDER BY created_at DESC, plan_id DESC LIMIT ?6`,
  );
  const { results } = await query.bind(userId, at, id, status ?? null, search ?? null, limit).all<TemplateRow>();
  return results.map((row) => workflowTemplateSummarySchema.parse(row));
}

/** Returns the versions of a template, newest first; null if it does not exist. */
export async function listTemplateVersions(
  db: D1Database,
  userId: string,
  planId: string,
): Promise<WorkflowTemplateVersions | null> {
  const query = `SELECT version, name, created_at FROM plan_version WHERE user_id = ? AND plan_id = ? ORDER BY version DESC`;
  const { results } = await db.prepare(query).bind(userId, planId).all<TemplateRow>();
  return results.length === 0 ? null : workflowTemplateVersionsSchema.parse({ versions: results });
}

/** Returns a user's released templates as agent cards, at most 5 s old; see `UserCache` for errors. */
export function listReleasedTemplates(db: D1Database, userId: string): Promise<readonly AgentCard[]> {
  return releasedCache.get(userId, async () => {
    const query = `SELECT plan_id, name, description, version FROM plan_template WHERE user_id = ? AND status = 'released' ORDER BY plan_id`;
    const { results } = await db
      .prepare(query)
      .bind(userId)
      .all<{ plan_id: string; name: string; description: string; version: number }>();
    return results.map(toAgentCard);
  });
}

/** Returns the agent card of a template. Its name is the `plan_id`. */
export function toAgentCard({
  plan_id,
  name,
  description,
  version,
}: Pick<WorkflowTemplate, "plan_id" | "name" | "description" | "version">): AgentCard {
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

function decodeTemplate({ config, current, versioned_at, updated_at, ...row }: TemplateRow): WorkflowTemplate {
  const isCurrent = row["version"] === current;
  return workflowTemplateSchema.parse({
    ...workflowConfigSchema.strip().parse(JSON.parse(String(config))),
    ...row,
    updated_at: isCurrent ? updated_at : versioned_at,
  });
}
