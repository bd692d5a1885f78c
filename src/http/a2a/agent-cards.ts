// Builds the agent cards of the runtime and of its agents for the A2A interface.

import { UnsupportedOperationError } from "@a2a-js/sdk/errors";
import { toA2ACard, type A2ACard, type CardFeatures, type CardReaderVersion } from "../../a2a/a2a-card.ts";
import { agentCardSchema, type Agent, type AgentCard, type Skill } from "../../protocol/agents/agent.ts";
import type { Settings } from "../../settings.ts";
import { getAuthMode } from "../authenticate.ts";
import { formatEnglish } from "../../language/messages.ts";
import type { A2ARequestContext } from "./a2a-request-context.ts";

/** The card of the runtime itself, without the agents of a user. */
const RUNTIME_CARD: AgentCard = agentCardSchema.parse({
  name: "Orrery",
  description:
    "Carries out requests with several agents: answers at once or plans, lets agents work side by side, asks where something is missing, and sums up.",
  version: "1.0.0",
  skills: [
    {
      id: "converse",
      name: "Converse",
      description: "Answers a request, or has it carried out by the agents that it takes.",
      tags: ["conversation", "planning", "agents"],
      examples: ["What time is it now, and what is 678 times 8776?", "首先查询现在时间然后计算678乘以8776的结果"],
    },
  ],
});

/**
 * Returns the card of an agent as it can be reached here, or the card of the runtime if `agent` is null. An agent is
 * always offered with streaming, because the runtime streams on its behalf. `reader` selects the version of the card.
 */
export function buildAgentCard(
  agent: Agent | null,
  url: string,
  settings: Settings,
  reader: CardReaderVersion,
): A2ACard {
  const card = agent === null ? RUNTIME_CARD : { ...agent, capabilities: { ...agent.capabilities, streaming: true } };
  return toA2ACard(card, url, getCardOffer(settings), reader);
}

/**
 * Returns the extended card. For the runtime it lists, as additional skills, each agent that this user may ask; for an
 * agent it equals the public card. Throws an `UnsupportedOperationError` if authentication is off, because then there
 * is no user to extend it for.
 */
export async function buildExtendedCard({ operations, agent, url, settings }: A2ARequestContext): Promise<A2ACard> {
  if (getAuthMode(settings) === "local") throw new UnsupportedOperationError(formatEnglish("a2a.noExtendedCard"));
  if (agent !== null) return buildAgentCard(agent, url, settings, "1.0");
  const { agents } = await operations.agents({});
  const skills = agents.filter(({ enabled, hidden }) => enabled && !hidden).map(toSkill);
  return toA2ACard(
    { ...RUNTIME_CARD, skills: [...RUNTIME_CARD.skills, ...skills] },
    url,
    getCardOffer(settings),
    "1.0",
  );
}

/** Returns an agent as a skill of the runtime. The skill id is the agent's name. */
function toSkill({ name, display_name, description, skills }: Agent): Skill {
  return {
    id: name,
    name: display_name ?? name,
    description: description === "" ? name : description,
    tags: [...new Set(["agent", ...skills.flatMap(({ tags }) => tags)])],
    examples: skills.flatMap(({ examples }) => examples),
  };
}

/** Returns the transport features and media types that each card declares. */
function getCardOffer(settings: Settings): CardFeatures {
  return {
    httpJson: true,
    pushNotifications: true,
    // Extended cards depend on the user, so they need authentication.
    extendedAgentCard: getAuthMode(settings) !== "local",
    requiresToken: getAuthMode(settings) !== "local",
    inputModes: ["text/plain", "application/json"],
    outputModes: ["text/plain", "application/json"],
  };
}
