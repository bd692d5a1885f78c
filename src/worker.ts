// The entry module of the Worker: the HTTP handler, the handler of the cron trigger (every minute), and the entrypoint
// and Durable Object classes that the platform instantiates.
//
// Agents and HTTP routes are evaluated by the first request that needs them, not at the start of the isolate: an
// isolate that runs conversations or one agent does not pay for all others.

import { deferEntrypoint } from "./defer-entrypoint.ts";
import type { Env } from "./env.ts";
import type { AppsApi } from "./protocol/agents/app-config.ts";
import type { AnalystApi } from "./protocol/pages/analysis-api.ts";

export { Conversation } from "./durable/conversation/conversation.ts";
export { Library } from "./durable/library/library.ts";
export { RateLimiter } from "./durable/rate-limit/rate-limiter.ts";
export { Orrery } from "./http/api/rpc.ts";

export const Assistant = deferEntrypoint(async () => (await import("./agents/assistant/agent.ts")).Assistant);
export const Toolsmith = deferEntrypoint(async () => (await import("./agents/toolsmith/agent.ts")).Toolsmith);
export const Plans = deferEntrypoint(async () => (await import("./agents/workflows/agent.ts")).Plans);
export const Apps = deferEntrypoint<AppsApi>(async () => (await import("./agents/apps/agent.ts")).Apps, {
  check: true,
});
export const Analyst = deferEntrypoint<AnalystApi>(async () => (await import("./agents/analyst/agent.ts")).Analyst, {
  converse: true,
  plan: true,
  generate: true,
  refresh: true,
});

export default {
  fetch: async (request, env, ctx) => (await import("./http/http-app.ts")).handleRequest(request, env, ctx),
  scheduled: async (_, env) => void (await (await import("./http/schedule-sweep.ts")).sweep(env)),
} satisfies ExportedHandler<Env>;
