// CORS for all interfaces.

import { HTTP_EXTENSION_HEADER } from "@a2a-js/sdk";
import type { Context } from "hono";
import { cors } from "hono/cors";
import { settingsOf } from "../settings.ts";
import { CONVERSATION } from "./openai/described.ts";
import { SHOULD_RETRY } from "./openai/refusal.ts";
import type { App } from "./route.ts";

/**
 * Allows pages of the origins in ALLOWED_ORIGINS to call the Worker and to read responses. The exposed headers are
 * those that clients use.
 */
export const fromPages = cors({
  origin: (origin, { env }: Context<App>) => (settingsOf(env).ALLOWED_ORIGINS.includes(origin) ? origin : null),
  exposeHeaders: [CONVERSATION, SHOULD_RETRY, "retry-after", HTTP_EXTENSION_HEADER, "etag"],
});
