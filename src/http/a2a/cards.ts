// The cards of the runtime and of its agents.

import { UnsupportedOperationError } from "@a2a-js/sdk/errors";
import { toA2ACard, type A2ACard, type Offer, type Reader } from "../../a2a/card.ts";
import { agentCardSchema, type Agent, type AgentCard, type Skill } from "../../protocol/agent.ts";
import type { Settings } from "../../settings.ts";
import { authMode } from "../identity.ts";
import type { Desk } from "./desk.ts";

const RUNTIME: AgentCard = agentCardSchema.parse({
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

/** The card of an agent as it is spoken to here, or of the runtime. */
export function cardOf(agent: Agent | null, url: string, settings: Settings, reader: Reader): A2ACard {
  const card = agent === null ? RUNTIME : { ...agent, capabilities: { ...agent.capabilities, streaming: true } };
  return toA2ACard(card, url, offerOf(settings), reader);
}

/** Of the runtime, with every agent that this user may ask as a skill; of an agent, the same as for everybody. */
export async function extendedCard({ verbs, agent, url, settings }: Desk): Promise<A2ACard> {
  if (authMode(settings) === "local")
    throw new UnsupportedOperationError("Nobody is asked for a token here, so there is no extended card.");
  if (agent !== null) return cardOf(agent, url, settings, "1.0");
  const { agents } = await verbs.agents();
  const skills = agents.filter(({ enabled, hidden }) => enabled && !hidden).map(skillOf);
  return toA2ACard({ ...RUNTIME, skills: [...RUNTIME.skills, ...skills] }, url, offerOf(settings), "1.0");
}

function skillOf({ name, display_name, description, skills }: Agent): Skill {
  return {
    id: name,
    name: display_name ?? name,
    description: description === "" ? name : description,
    tags: [...new Set(["agent", ...skills.flatMap(({ tags }) => tags)])],
    examples: skills.flatMap(({ examples }) => examples),
  };
}

function offerOf(settings: Settings): Offer {
  return {
    pushNotifications: true,
    // It has to ask who somebody is.
    extendedAgentCard: authMode(settings) !== "local",
    isGuarded: authMode(settings) !== "local",
    inputModes: ["text/plain", "application/json"],
    outputModes: ["text/plain", "application/json"],
  };
}
