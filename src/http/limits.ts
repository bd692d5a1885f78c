// The rate limit of requests. The platform counts them approximately and per location. Messages are counted exactly in
// a Durable Object per user (`durable/pace.ts`).

import type { Context, MiddlewareHandler } from "hono";
import { tooMany } from "../durable/pace.ts";
import { settingsOf } from "../settings.ts";
import { identityOf, refuse } from "./identity.ts";
import type { App } from "./route.ts";

/** The period of the platform's counter in seconds, as in wrangler.toml. */
const PERIOD_SECONDS = 60;
/** The paths of all interfaces that authenticate. */
const DOORS = /^\/(api|a2a|agui|v1|mcp)(\/|$)/;

/**
 * Middleware that rejects the authentication of requests above the limit. The interface that handles the request throws
 * the fault and formats it like its other errors. Without the binding, requests are not limited.
 */
export const limitRequests: MiddlewareHandler<App> = async (context, next) => {
  const { env, req } = context;
  const limiter = env.REQUESTS;
  if (limiter === undefined || req.method === "OPTIONS" || !DOORS.test(req.path)) return next();
  if (!(await isWithin(limiter, await keyOf(context)))) refuse(req.raw, tooMany(PERIOD_SECONDS));
  return next();
};

/** Counts a request. Returns false if it is above the limit; true if it cannot be counted. */
async function isWithin(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return (await limiter.limit({ key })).success;
  } catch (thrown) {
    console.error("Requests could not be counted", thrown);
    return true;
  }
}

/** Returns the user as the key of the counter, or the IP address if the request has no valid token. */
async function keyOf({ req, env }: Context<App>): Promise<string> {
  try {
    return `user:${(await identityOf(req.raw, settingsOf(env))).userId}`;
  } catch {
    return `from:${req.header("cf-connecting-ip") ?? ""}`;
  }
}
