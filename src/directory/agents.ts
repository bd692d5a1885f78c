// The D1 rows of agents: those that a user registered by URL, and which are switched off.

import { agentCardSchema, type AgentCard } from "../protocol/agent.ts";

export type RemoteAgent = { readonly card: AgentCard; readonly url: string; readonly enabled: boolean };
export type Registry = { readonly remote: readonly RemoteAgent[]; readonly disabled: ReadonlySet<string> };

/** How long another isolate may go by what it has read. */
const MAX_AGE_MS = 5_000;

type Read = { readonly registry: Registry; readonly readAt: number };
const isolate = new Map<string, Read>();

/** What a user has registered and switched off; read at most every few seconds, at once after a change made here. */
export async function readRegistry(db: D1Database, userId: string): Promise<Registry> {
  const known = isolate.get(userId);
  if (known !== undefined && Date.now() - known.readAt < MAX_AGE_MS) return known.registry;
  const { results } = await db
    .prepare(`SELECT name, url, card, enabled FROM agent WHERE user_id = ? ORDER BY name`)
    .bind(userId)
    .all<{ name: string; url: string | null; card: string | null; enabled: number }>();
  const registry: Registry = {
    remote: results.flatMap(({ url, card, enabled }) =>
      url === null || card === null
        ? []
        : [{ card: agentCardSchema.parse(JSON.parse(card)), url, enabled: enabled === 1 }],
    ),
    disabled: new Set(results.filter(({ enabled }) => enabled === 0).map(({ name }) => name)),
  };
  if (isolate.size > 10_000) isolate.clear();
  isolate.set(userId, { registry, readAt: Date.now() });
  return registry;
}

/** Registers an agent, or renews what is known of it. */
export async function putAgent(db: D1Database, userId: string, card: AgentCard, url: string): Promise<void> {
  isolate.delete(userId);
  await db
    .prepare(
      `INSERT INTO agent (user_id, name, url, card, enabled, updated_at) VALUES (?, ?, ?, ?, 1, ?)
       ON CONFLICT (user_id, name) DO UPDATE SET url = excluded.url, card = excluded.card, enabled = 1, updated_at = excluded.updated_at`,
    )
    .bind(userId, card.name, url, JSON.stringify(card), Date.now())
    .run();
  isolate.delete(userId);
}

export async function setAgentEnabled(db: D1Database, userId: string, name: string, enabled: boolean): Promise<void> {
  await db
    .prepare(
      `INSERT INTO agent (user_id, name, enabled, updated_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (user_id, name) DO UPDATE SET enabled = excluded.enabled, updated_at = excluded.updated_at`,
    )
    .bind(userId, name, enabled ? 1 : 0, Date.now())
    .run();
  isolate.delete(userId);
}

/** Forgets a registered agent. False when there was none of that name. */
export async function removeAgent(db: D1Database, userId: string, name: string): Promise<boolean> {
  const { meta } = await db
    .prepare(`DELETE FROM agent WHERE user_id = ? AND name = ? AND url IS NOT NULL`)
    .bind(userId, name)
    .run();
  isolate.delete(userId);
  return meta.changes > 0;
}
