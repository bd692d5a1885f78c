// The Durable Object that limits how many messages one user starts per minute. `RateWindow` documents the rules.
//
//   U1. The object's name is the user id. No input of a client changes it.
// It is not part of the user's library, so that a long query does not delay messages.

import { DurableObject } from "cloudflare:workers";
import type { Env } from "../../env.ts";
import { RateWindow, type PrefetchRequest, type RateGrant, type RateLimiterApi } from "./rate-window.ts";

/** Registered as a Durable Object; `RateLimiterApi` documents the method. */
export class RateLimiter extends DurableObject<Env> implements RateLimiterApi {
  readonly #window = new RateWindow(this.ctx.storage, (holder) => this.env.CONVERSATION.getByName(holder));

  begin(requested: number, limit: number, prefetch?: PrefetchRequest): Promise<RateGrant> {
    return this.#window.acquire(requested, limit, prefetch, Date.now);
  }
}
