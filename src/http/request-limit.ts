// The rate limit of requests. The platform counts them approximately and per location. Messages are counted exactly in
// a Durable Object per user (`durable/rate-limit/rate-limiter.ts`).

import type { Context, MiddlewareHandler } from "hono";
import { createRateFault } from "../durable/rate-limit/rate-window.ts";
import { getSettings } from "../settings.ts";
import { authenticate, rejectRequest } from "./authenticate.ts";
import type { HonoEnv } from "./api/http-route.ts";
import { REGISTRATION_PATH } from "./mcp/authorization-server.ts";

/** The period of the platform's counter in seconds, as in wrangler.toml. */
const LIMIT_PERIOD_SECONDS = 60;
/** Paths without authentication that write to the store of the OAuth server. */
const PUBLIC_PATHS = /^\/oauth\//;
/** The paths of all interfaces that authenticate. */
const LIMITED_PATHS = /^\/(api|a2a|agui|v1|mcp)(\/|$)/;

/**
 * Middleware that rejects the authentication of requests above the limit with `too_many_requests`. The interface that
 * handles the request throws the fault and formats it like its other errors. Public paths are refused at once. `OPTIONS`
 * requests and all other paths are not counted. Registrations of clients, which anybody may store, have a lower limit of
 * their own. Without the binding, requests are not limited.
 */
export const limitRequests: MiddlewareHandler<HonoEnv> = async (context, next) => {
  const { env, req } = context;
  const limiter = req.path === REGISTRATION_PATH ? env.REGISTRATIONS : env.REQUESTS;
  const isPublic = PUBLIC_PATHS.test(req.path);
  if (limiter === undefined || req.method === "OPTIONS" || !(isPublic || LIMITED_PATHS.test(req.path))) return next();
  if (!(await isWithinLimit(limiter, await getLimitKey(context)))) {
    const fault = createRateFault(LIMIT_PERIOD_SECONDS, "rateLimit.tooManyRequests");
    if (isPublic) throw fault;
    rejectRequest(req.raw, fault);
  }
  return next();
};

/** Counts a request. Returns false if it is above the limit; true if it cannot be counted. */
async function isWithinLimit(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return (await limiter.limit({ key })).success;
  } catch (thrown) {
    console.error("Requests could not be counted", thrown);
    return true;
  }
}

/** Returns the user as the key of the counter, or the IP address if the request has no valid token. */
async function getLimitKey({ req, env }: Context<HonoEnv>): Promise<string> {
  try {
    return `user:${(await authenticate(req.raw, getSettings(env))).userId}`;
  } catch {
    return `from:${req.header("cf-connecting-ip") ?? ""}`;
  }
}
