// How many requests somebody may make: the platform counts them where they come in, loosely and per place. Messages
// are counted exactly further in (`durable/pace.ts`).

import type { Context, MiddlewareHandler } from "hono";
import { tooMany } from "../durable/pace.ts";
import { settingsOf } from "../settings.ts";
import { identityOf, refuse } from "./identity.ts";
import type { App } from "./route.ts";

/** Seconds over which the platform counts, as in wrangler.toml. */
const PERIOD_SECONDS = 60;
/** Every door that asks who somebody is. */
const DOORS = /^\/(api|a2a|agui|v1|mcp)(\/|$)/;

/**
 * Refuses who asks too often: the door that asks who it is gets the fault, and words it as it words any other. Without
 * the binding nothing is counted.
 */
export const limitRequests: MiddlewareHandler<App> = async (context, next) => {
  const { env, req } = context;
  const limiter = env.REQUESTS;
  if (limiter === undefined || req.method === "OPTIONS" || !DOORS.test(req.path)) return next();
  if (!(await isWithin(limiter, await keyOf(context)))) refuse(req.raw, tooMany(PERIOD_SECONDS));
  return next();
};

/** A count that cannot be had keeps nobody out. */
async function isWithin(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return (await limiter.limit({ key })).success;
  } catch (thrown) {
    console.error("Requests could not be counted", thrown);
    return true;
  }
}

/** Who has no token, or a bad one, is counted by where they come from. */
async function keyOf({ req, env }: Context<App>): Promise<string> {
  try {
    return `user:${(await identityOf(req.raw, settingsOf(env))).userId}`;
  } catch {
    return `from:${req.header("cf-connecting-ip") ?? ""}`;
  }
}
