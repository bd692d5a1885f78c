// The entrypoint of the released plan templates of all users. The URL of a request contains the user and the
// template.

import { waitUntil } from "cloudflare:workers";
import { openDirectory } from "../../directory/open-directory.ts";
import { getPlanTemplate } from "../../directory/template-directory.ts";
import { parseHostedAgentUrl } from "../../protocol/agents/hosted-agent-url.ts";
import { serveAgents } from "../kit/serve.ts";
import { withModel } from "../kit/with-model.ts";
import { getRuntimeApi, createWorkflowAgent } from "./workflow-agent.ts";

export const Plans = serveAgents(async ({ url }, env) => {
  const hosted = parseHostedAgentUrl(url);
  if (hosted === null) return null;
  const { user_id: userId, name } = hosted;
  const template = await getPlanTemplate(openDirectory(env["DB"] as D1Database), userId, name);
  return template === null
    ? null
    : withModel(createWorkflowAgent({ userId, template, api: getRuntimeApi(env) }, waitUntil));
});
