// The entry module of the Worker: the HTTP handler, the handler of the cron trigger (every minute), and the entrypoint
// and Durable Object classes that the platform instantiates.

import { handleRequest } from "./http/http-app.ts";
import { sweep } from "./http/schedule-sweep.ts";
import type { Env } from "./env.ts";

export { Analyst } from "./agents/analyst/agent.ts";
export { Apps } from "./agents/apps/agent.ts";
export { Assistant } from "./agents/assistant/agent.ts";
export { Plans } from "./agents/workflows/agent.ts";
export { Toolsmith } from "./agents/toolsmith/agent.ts";
export { Conversation } from "./durable/conversation/conversation.ts";
export { Library } from "./durable/library/library.ts";
export { RateLimiter } from "./durable/rate-limit/rate-limiter.ts";
export { Orrery } from "./http/rpc.ts";

export default {
  fetch: (request, env, ctx) => handleRequest(request, env, ctx),
  scheduled: async (_, env) => void (await sweep(env)),
} satisfies ExportedHandler<Env>;
