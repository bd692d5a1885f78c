// The D1 rows of agents: registered by URL, registered as an app, or only enabled or disabled. All statements name the
// user (U1). Reads are cached per isolate; each write here invalidates the cache of its isolate. The headers of an app's
// MCP server are stored sealed; the credentials of a remote agent arrive sealed.

import { agentCardSchema, type AgentCard, type AgentChecks } from "../protocol/agents/agent.ts";
import { appConfigSchema, createAppCard, type AppConfig } from "../protocol/agents/app-config.ts";
import { createMessage } from "../language/messages.ts";
import { tryParseJson } from "../lib/parse-json.ts";
import { sealText, unsealText, type SealContext } from "../lib/sealed-text.ts";
import { Failure } from "../protocol/wire/message-error.ts";
import { UserCache } from "./user-cache.ts";

/** An agent registered by URL. `credentials` are opaque here; `changed_at` is in ms since the epoch. */
export type RemoteAgentRecord = {
  readonly card: AgentCard;
  readonly url: string;
  readonly enabled: boolean;
  readonly credentials: string | null;
  readonly changed_at: number;
};
export type RegisteredAppRecord = { readonly card: AgentCard; readonly source: "app"; readonly enabled: boolean };
/** The agents that a user registered, and the names of those that are disabled. */
export type AgentRegistry = {
  readonly remote: readonly RemoteAgentRecord[];
  readonly apps: readonly RegisteredAppRecord[];
  readonly disabled: ReadonlySet<string>;
};

const registryCache = new UserCache<AgentRegistry>();

type AgentRow = {
  name: string;
  url: string | null;
  card: string | null;
  is_app: number;
  enabled: number;
  credentials: string | null;
  updated_at: number;
};

/** Returns the registered and disabled agents of a user, at most 5 s old; see `UserCache` for errors. */
export function readRegistry(db: D1Database, userId: string): Promise<AgentRegistry> {
  return registryCache.get(userId, () => queryRegistry(db, userId));
}

async function queryRegistry(db: D1Database, userId: string): Promise<AgentRegistry> {
  const { results } = await db
    .prepare(
      `SELECT name, url, card, app IS NOT NULL AS is_app, enabled, credentials, updated_at FROM agent WHERE user_id = ? ORDER BY name`,
    )
    .bind(userId)
    .all<AgentRow>();
  const known = results.flatMap(({ card, ...row }) =>
    card === null ? [] : [{ ...row, card: agentCardSchema.parse(JSON.parse(card)) }],
  );
  return {
    remote: known.flatMap(({ url, card, enabled, credentials, updated_at: changed_at }) =>
      url === null ? [] : [{ card, url, enabled: enabled === 1, credentials, changed_at }],
    ),
    apps: known.flatMap(({ is_app, card, enabled }) =>
      // Cards from before checks existed have none.
      is_app === 1
        ? [{ card: { checks: { tools: [] }, ...card }, source: "app" as const, enabled: enabled === 1 }]
        : [],
    ),
    disabled: new Set(results.filter(({ enabled }) => enabled === 0).map(({ name }) => name)),
  };
}

/**
 * Returns the definition of an app; null if it does not exist. Throws a `Failure` (`agent_unauthorized`) if none of
 * `secrets` unseals its headers.
 */
export async function readApp(
  db: D1Database,
  userId: string,
  name: string,
  secrets: readonly string[],
): Promise<AppConfig | null> {
  const query = db.prepare(`SELECT app FROM agent WHERE user_id = ? AND name = ?`).bind(userId, name);
  const stored = await query.first<string>("app");
  return stored === null
    ? null
    : appConfigSchema.parse(await unsealHeaders(JSON.parse(stored) as StoredApp, userId, secrets));
}

/** The stored form of an app. Older rows and those of a deployment without a secret have plain headers. */
type StoredApp = Omit<AppConfig, "mcp"> & { readonly mcp: AppConfig["mcp"] | { url: string; sealed_headers: string } };

async function sealHeaders(app: AppConfig, userId: string, secrets: readonly string[]): Promise<StoredApp> {
  const { mcp } = app;
  if ("binding" in mcp || mcp.headers === undefined || secrets.length === 0) return app;
  const context = getHeadersContext(userId, mcp.url);
  return {
    ...app,
    mcp: { url: mcp.url, sealed_headers: await sealText(JSON.stringify(mcp.headers), context, secrets) },
  };
}

async function unsealHeaders(app: StoredApp, userId: string, secrets: readonly string[]): Promise<unknown> {
  const { mcp } = app;
  if (!("sealed_headers" in mcp)) return app;
  const text = await unsealText(mcp.sealed_headers, getHeadersContext(userId, mcp.url), secrets);
  const headers = text === null ? undefined : tryParseJson(text);
  if (headers === undefined) throw new Failure("agent_unauthorized", createMessage("agent.credentialsUnreadable"));
  return { ...app, mcp: { url: mcp.url, headers } };
}

function getHeadersContext(userId: string, url: string): SealContext {
  return { purpose: "app headers", userId, url };
}

/**
 * Registers or replaces the agent with the name of the card, and enables it. Without credentials, stored ones are lost.
 */
export async function putAgent(
  db: D1Database,
  userId: string,
  card: AgentCard,
  url: string,
  credentials: string | null = null,
): Promise<void> {
  await upsertAgent(db, userId, { card, url, app: null, credentials });
}

/**
 * Registers or replaces the app with this name and enables it. `tools` are the read-only ones, for planners. Seals its
 * headers with the first of `secrets`.
 */
export async function putApp(
  db: D1Database,
  userId: string,
  app: AppConfig,
  { tools, secrets }: { readonly tools: AgentChecks["tools"]; readonly secrets: readonly string[] },
): Promise<void> {
  const stored = JSON.stringify(await sealHeaders(app, userId, secrets));
  await upsertAgent(db, userId, { card: createAppCard(app, tools), url: null, app: stored, credentials: null });
}

type AgentInput = {
  readonly card: AgentCard;
  readonly url: string | null;
  readonly app: string | null;
  readonly credentials: string | null;
};

async function upsertAgent(db: D1Database, userId: string, { card, url, app, credentials }: AgentInput): Promise<void> {
  await db
    .prepare(
      `INSERT INTO agent (user_id, name, url, card, app, credentials, enabled, updated_at) VALUES (?, ?, ?, ?, ?, ?, 1, ?)
       ON CONFLICT (user_id, name) DO UPDATE SET url = excluded.url, card = excluded.card, app = excluded.app,
         credentials = excluded.credentials, enabled = 1, updated_at = excluded.updated_at`,
    )
    .bind(userId, card.name, url, JSON.stringify(card), app, credentials, Date.now())
    .run();
  registryCache.invalidate(userId);
}

/** Enables or disables an agent, which may be a built-in one without a registration. */
export async function setAgentEnabled(db: D1Database, userId: string, name: string, enabled: boolean): Promise<void> {
  await db
    .prepare(
      `INSERT INTO agent (user_id, name, enabled, updated_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (user_id, name) DO UPDATE SET enabled = excluded.enabled, updated_at = excluded.updated_at`,
    )
    .bind(userId, name, enabled ? 1 : 0, Date.now())
    .run();
  registryCache.invalidate(userId);
}

/** Removes a registered agent or app. Returns false if none is registered under this name. */
export async function removeAgent(db: D1Database, userId: string, name: string): Promise<boolean> {
  const { meta } = await db
    .prepare(`DELETE FROM agent WHERE user_id = ? AND name = ? AND card IS NOT NULL`)
    .bind(userId, name)
    .run();
  registryCache.invalidate(userId);
  return meta.changes > 0;
}
