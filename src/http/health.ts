// The health check.

import type { Context } from "hono";
import { modelInfo } from "../models/model.ts";
import { healthSchema, type Health } from "../protocol/answers.ts";
import { settingsOf } from "../settings.ts";
import { authMode } from "./identity.ts";
import type { App, Route } from "./route.ts";

export const healthRoute: Route = {
  method: "get",
  path: "/health",
  tag: "About",
  summary: "Whether everything is ready, and which model answers",
  query: null,
  body: null,
  answer: { status: 200, description: "Everything is ready", schema: healthSchema },
  streams: false,
  isPublic: true,
  run: health,
};

/**
 * Returns 200 if the directory is reachable and migrated, otherwise 503 with the missing part. Both contain the model
 * and the authentication mode.
 */
async function health({ env }: Context<App>): Promise<Response> {
  const settings = settingsOf(env);
  const about = { model: modelInfo(settings), auth: authMode(settings) };
  try {
    await env.DB.prepare(`SELECT 1 FROM conversation LIMIT 1`).first();
    return Response.json({ status: "ok", ...about } satisfies Health);
  } catch {
    const missing = "the directory (D1)";
    return Response.json({ status: "unavailable", missing, ...about } satisfies Health, { status: 503 });
  }
}
