// CORS for all interfaces.

import { HTTP_EXTENSION_HEADER } from "@a2a-js/sdk";
import type { Context } from "hono";
import { cors } from "hono/cors";
import { getSettings } from "../settings.ts";
import { CONVERSATION_HEADER } from "./openai/openai-descriptions.ts";
import { SHOULD_RETRY_HEADER } from "./openai/openai-error.ts";
import type { HonoEnv } from "./define-route.ts";

/**
 * Allows pages of the origins in ALLOWED_ORIGINS to call the Worker and to read responses. The exposed headers are
 * those that clients use.
 */
export const corsMiddleware = cors({
  origin: (origin, { env }: Context<HonoEnv>) => (getSettings(env).ALLOWED_ORIGINS.includes(origin) ? origin : null),
  exposeHeaders: [CONVERSATION_HEADER, SHOULD_RETRY_HEADER, "retry-after", HTTP_EXTENSION_HEADER, "etag"],
});
