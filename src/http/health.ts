import type { Context } from "hono";
import { modelInfo } from "../models/model.ts";
import { settingsOf } from "../settings.ts";
import { authMode } from "./identity.ts";
import type { App } from "./route.ts";

/** 200 once everything is ready, with the model that answers; 503 and what is missing before. */
export async function health({ env }: Context<App>): Promise<Response> {
  const settings = settingsOf(env);
  const about = { model: modelInfo(settings), auth: authMode(settings) };
  try {
    await env.DB.prepare(`SELECT 1 FROM conversation LIMIT 1`).first();
    return Response.json({ status: "ok", ...about });
  } catch {
    return Response.json({ status: "unavailable", missing: "the directory (D1)", ...about }, { status: 503 });
  }
}
