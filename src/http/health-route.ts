// The health check.

import type { Context } from "hono";
import { getModelInfo } from "../models/create-model.ts";
import { healthSchema, type Health } from "../protocol/wire/http-responses.ts";
import { getSettings } from "../settings.ts";
import { getAuthMode } from "./authenticate.ts";
import type { HonoEnv, HttpRoute } from "./api/http-route.ts";
import { openDirectory } from "../directory/open-directory.ts";

export const healthRoute: HttpRoute = {
  method: "get",
  path: "/health",
  tag: "About",
  summary: "Get the readiness, the model and the authentication mode of the server",
  query: null,
  body: null,
  answer: { status: 200, description: "The server is ready", schema: healthSchema },
  streams: false,
  isPublic: true,
  run: checkHealth,
};

/**
 * Returns 200 if the directory is reachable and migrated, otherwise 503 with the missing part. Both contain the model
 * and the authentication mode.
 */
async function checkHealth({ env }: Context<HonoEnv>): Promise<Response> {
  const settings = getSettings(env);
  const details = { model: getModelInfo(settings, env), auth: getAuthMode(settings) };
  try {
    await openDirectory(env.DB).prepare(`SELECT 1 FROM conversation LIMIT 1`).first();
    return Response.json({ status: "ok", ...details } satisfies Health);
  } catch {
    const missing = "the directory (D1)";
    return Response.json({ status: "unavailable", missing, ...details } satisfies Health, { status: 503 });
  }
}
