import { A2A_PROTOCOL_VERSION, AGENT_CARD_PATH } from "@a2a-js/sdk";
import { A2A_LEGACY_PROTOCOL_VERSION } from "@a2a-js/sdk/compat/v0_3";
import { EVENTS_EXTENSION } from "../../protocol/a2a.ts";
import type { AgentCard } from "../../protocol/agent.ts";

/**
 * The card as A2A 1.0 has it (protocol JSON, section 4.4 of the specification). The members that only
 * 0.3 knows stand beside it, so that a client of either version finds its endpoint.
 */
export function toA2ACard(card: AgentCard, url: string): Readonly<Record<string, unknown>> {
  const { name, description, version } = card;
  const binding = { url, protocolBinding: "JSONRPC" };
  return {
    name,
    description,
    version,
    supportedInterfaces: [
      { ...binding, protocolVersion: A2A_PROTOCOL_VERSION },
      { ...binding, protocolVersion: A2A_LEGACY_PROTOCOL_VERSION },
    ],
    capabilities: {
      streaming: card.capabilities.streaming,
      pushNotifications: false,
      extensions: [
        {
          uri: EVENTS_EXTENSION,
          description: "Reasoning, tool calls, components and usage as metadata of status updates.",
          required: false,
          params: {
            ...(card.display_name === undefined ? {} : { display_name: card.display_name }),
            planner_passthrough: card.planner_passthrough,
            hidden: card.hidden,
          },
        },
      ],
    },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: card.skills,
    url,
    preferredTransport: "JSONRPC",
    protocolVersion: "0.3.0",
  };
}

/** Where an agent is spoken to, given where its card was asked for. */
export function endpointOf(cardUrl: string): string {
  const url = new URL(cardUrl);
  const path = url.pathname.endsWith(`/${AGENT_CARD_PATH}`)
    ? url.pathname.slice(0, -AGENT_CARD_PATH.length)
    : url.pathname;
  return `${url.origin}${path}`;
}
