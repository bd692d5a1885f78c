// The entry module of the Worker: the HTTP handler, the handler of the cron trigger (every minute), and the entrypoint
// and Durable Object classes that the platform instantiates.
//
// Agents and HTTP routes are evaluated by the first request that needs them, not at the start of the isolate: an
// isolate that runs conversations or one agent does not pay for all others.

import { deferEntrypoint } from "./defer-entrypoint.ts";
import type { Env } from "./env.ts";
import { RPC_METHODS } from "./protocol/api/rpc-methods.ts";
import type { AppsApi } from "./protocol/agents/app-config.ts";
import type { AnalystApi } from "./protocol/pages/analysis-api.ts";

export { Conversation } from "./durable/conversation/conversation.ts";
export { Library } from "./durable/library/library.ts";
export { RateLimiter } from "./durable/rate-limit/rate-limiter.ts";

const APPS_API: Readonly<Record<keyof AppsApi, true>> = { check: true };
const ANALYST_API: Readonly<Record<keyof AnalystApi, true>> = {
  converse: true,
  plan: true,
  generate: true,
  refresh: true,
};

export const Assistant = deferEntrypoint(async () => (await import("./agents/assistant/agent.ts")).Assistant);
export const Toolsmith = deferEntrypoint(async () => (await import("./agents/toolsmith/agent.ts")).Toolsmith);
export const Plans = deferEntrypoint(async () => (await import("./agents/workflows/agent.ts")).Plans);
export const Apps = deferEntrypoint(async () => (await import("./agents/apps/agent.ts")).Apps, Object.keys(APPS_API));
export const Analyst = deferEntrypoint(
  async () => (await import("./agents/analyst/agent.ts")).Analyst,
  Object.keys(ANALYST_API),
);
export const Orrery = deferEntrypoint(async () => (await import("./http/api/rpc.ts")).Orrery, RPC_METHODS);

export default {
  fetch: async (request, env, ctx) => (await import("./http/http-app.ts")).handleRequest(request, env, ctx),
  scheduled: async (_, env) => void (await (await import("./http/schedule-sweep.ts")).sweep(env)),
} satisfies ExportedHandler<Env>;
