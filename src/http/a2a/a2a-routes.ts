// The HTTP routes of A2A: `/a2a` is the runtime, `/a2a/:agent` is one of its agents. Each is the endpoint of JSON-RPC, the
// base URL of HTTP+JSON, and the folder of the agent card. Paths are accepted with and without a trailing slash.

import { AGENT_CARD_PATH } from "@a2a-js/sdk";
import type { Hono } from "hono";
import { createCardResponse, detectCardReaderVersion } from "../../a2a/a2a-card.ts";
import type { Agent } from "../../protocol/agents/agent.ts";
import { getSettings, type Settings } from "../../settings.ts";
import { createMissingAgentFault, getEnabledAgent } from "../api/agents.ts";
import { getAuthMode, authenticate } from "../authenticate.ts";
import { refuseOtherMethods, type HonoEnv } from "../api/http-route.ts";
import { handleHttpRequest } from "./a2a-http.ts";
import { getAgentPath, type A2AHttpContext } from "./a2a-request.ts";
import { handleRpcRequest } from "./a2a-rpc.ts";
import { buildAgentCard } from "./agent-cards.ts";

/** Registers the cards and the endpoints of both bindings. Other HTTP methods of these paths are answered with 405. */
export function mountA2A(app: Hono<HonoEnv>): void {
  for (const path of [`/${AGENT_CARD_PATH}`, `/a2a/${AGENT_CARD_PATH}`, `/a2a/:agent/${AGENT_CARD_PATH}`]) {
    for (const form of [path, `${path}/`]) {
      app.get(form, handleCardRequest);
      refuseOtherMethods(app, form, ["GET"]);
    }
  }
  // Registered first: its paths are below those of JSON-RPC, and it passes on all others.
  app.all("/a2a/*", handleHttpRequest);
  for (const path of ["/a2a", "/a2a/", "/a2a/:agent", "/a2a/:agent/"]) {
    app.post(path, handleRpcRequest);
    refuseOtherMethods(app, path, ["POST"], "a2a.methodNotAllowed");
  }
}

/** Responds with a card. The card of an agent is cached per user if the request is authenticated. */
async function handleCardRequest(context: A2AHttpContext): Promise<Response> {
  const request = context.req.raw;
  const settings = getSettings(context.env);
  const isPersonal = request.headers.has("authorization") && getAuthMode(settings) !== "local";
  const name = context.req.param("agent");
  const agent = name === undefined ? null : await getVisibleAgent(context, settings, name);
  const { origin } = new URL(request.url);
  const cache = isPersonal && agent !== null ? "private, max-age=300" : "public, max-age=300";
  const card = buildAgentCard(agent, `${origin}${getAgentPath(name)}`, settings, detectCardReaderVersion(request));
  return createCardResponse(card, request, cache);
}

/**
 * Returns an enabled agent. Agents of the deployment are public; a user's own agents are visible to this user only
 * (U1).
 */
async function getVisibleAgent({ req, env }: A2AHttpContext, settings: Settings, name: string): Promise<Agent> {
  const isAnonymous = getAuthMode(settings) !== "local" && !req.raw.headers.has("authorization");
  const userId = isAnonymous ? "" : (await authenticate(req.raw, settings)).userId;
  const agent = await getEnabledAgent({ env, settings, userId, expiresAt: null }, name);
  if (isAnonymous && agent.source !== "binding") throw createMissingAgentFault();
  return agent;
}
