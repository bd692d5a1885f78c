// The entrypoint of the released plan templates of all users. The URL of a request contains the user and the
// template.

import { waitUntil } from "cloudflare:workers";
import { planTemplate } from "../../directory/plan-templates.ts";
import { hostedAt } from "../../protocol/hosted.ts";
import { serveAgents } from "../kit/serve.ts";
import { apiIn, planAgent } from "./plan-agent.ts";

export const Plans = serveAgents(async ({ url }, env) => {
  const named = hostedAt(url);
  if (named === null) return null;
  const { user_id: userId, name } = named;
  const template = await planTemplate(env["DB"] as D1Database, userId, name);
  return template === null ? null : planAgent({ userId, template, api: apiIn(env) }, waitUntil);
});
