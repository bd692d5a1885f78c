import { HTTP_EXTENSION_HEADER } from "@a2a-js/sdk";
import type { Context } from "hono";
import { cors } from "hono/cors";
import { settingsOf } from "../settings.ts";
import { CONVERSATION } from "./openai/described.ts";
import { SHOULD_RETRY } from "./openai/refusal.ts";
import type { App } from "./route.ts";

/**
 * At every door: pages of other origins may call what is here, and read the answers, if they were allowed. What is
 * exposed are the headers that clients heed.
 */
export const fromPages = cors({
  origin: (origin, { env }: Context<App>) => (settingsOf(env).ALLOWED_ORIGINS.includes(origin) ? origin : null),
  exposeHeaders: [CONVERSATION, SHOULD_RETRY, "retry-after", HTTP_EXTENSION_HEADER, "etag"],
});
