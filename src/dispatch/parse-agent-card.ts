// Parses agent cards of A2A 1.0 and 0.3, and limits the length of their texts.

import { AgentCard as A2ACard, type AgentExtension, type AgentInterface } from "@a2a-js/sdk";
import { EVENTS_EXTENSION, extensionParamsSchema } from "../protocol/agents/a2a-extension.ts";
import { agentCardSchema, type AgentCard } from "../protocol/agents/agent.ts";
import { Failure } from "../protocol/wire/message-error.ts";
import { createMessage, type MessageKey } from "../language/messages.ts";
import { truncateWithEllipsis } from "../lib/truncate.ts";
import { toVisibleLine } from "../lib/visible-text.ts";
import { isHttpJson } from "./a2a-transport.ts";
import { findKeyLocation, type KeyLocation } from "./remote-credentials.ts";
import { isLegacyInterface, type PeerInfo } from "./peer.ts";

/** Triage and planner read these texts of every card in their prompts, so they are truncated. */
const MAX_DESCRIPTION = 2_000;
const MAX_SKILL_TEXT = 500;
const MAX_SKILLS = 32;
const MAX_EXAMPLES = 12;

/** Fields that A2A 0.3 requires and that many cards lack. */
const LEGACY_DEFAULTS = {
  description: "",
  version: "",
  capabilities: {},
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
};

/** A parsed card with the interface that we use. */
export type ParsedCard = PeerInfo & {
  readonly endpoint: AgentInterface;
  /** The location of the API key, if the card declares one. */
  readonly keyLocation: KeyLocation | undefined;
  /** True if the agent has an extended card for authenticated clients. */
  readonly hasExtendedCard: boolean;
};

/** Creates the failure (`card_invalid`) of a document that is not an agent card. */
function createCardFailure(key: MessageKey): Failure {
  return new Failure("card_invalid", createMessage(key));
}

/**
 * Parses the JSON of a card of A2A 1.0 or 0.3, fills in missing fields (F83) and truncates long texts. URLs are
 * resolved against `cardUrl`. Rejects with a `Failure` (`card_invalid`), or with the parser's error.
 */
export async function parseAgentCard(raw: unknown, cardUrl: string): Promise<ParsedCard> {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) throw createCardFailure("agentCard.notObject");
  const a2aCard = await parseA2ACard(raw);
  const endpoint = selectEndpoint(a2aCard.supportedInterfaces);
  if (endpoint === undefined) throw createCardFailure("agentCard.noInterface");
  if (!URL.canParse(endpoint.url, cardUrl)) throw createCardFailure("agentCard.invalidUrl");
  const extension = a2aCard.capabilities?.extensions.find(({ uri }) => uri === EVENTS_EXTENSION);
  return {
    card: toAgentCard(a2aCard, extension),
    endpoint: { ...endpoint, url: new URL(endpoint.url, cardUrl).href },
    hasExtension: extension !== undefined,
    keyLocation: findKeyLocation(a2aCard),
    hasExtendedCard: a2aCard.capabilities?.extendedAgentCard === true,
  };
}

/** Parses a card. Only a card without interfaces, as in 0.3, loads the SDK's parser of that version. */
async function parseA2ACard(raw: object): Promise<A2ACard> {
  if ("supportedInterfaces" in raw && Array.isArray(raw.supportedInterfaces) && raw.supportedInterfaces.length > 0)
    return A2ACard.fromJSON(raw);
  const { isLegacyAgentCard, parseLegacyAgentCard } = await import("@a2a-js/sdk/compat/v0_3/client");
  return isLegacyAgentCard(raw) ? parseLegacyAgentCard({ ...LEGACY_DEFAULTS, ...raw }) : A2ACard.fromJSON(raw);
}

/** Selects the interface: JSON-RPC 1.x, else JSON-RPC 0.x, else HTTP+JSON 1.x; undefined if there is none. */
function selectEndpoint(interfaces: readonly AgentInterface[]): AgentInterface | undefined {
  const isCurrent = ({ protocolVersion }: AgentInterface): boolean => protocolVersion.startsWith("1");
  const overJsonRpc = interfaces.filter(({ protocolBinding }) => protocolBinding.toUpperCase() === "JSONRPC");
  const overHttp = interfaces.filter(isHttpJson);
  return overJsonRpc.find(isCurrent) ?? overJsonRpc.find(isLegacyInterface) ?? overHttp.find(isCurrent);
}

function toAgentCard(a2aCard: A2ACard, extension: AgentExtension | undefined): AgentCard {
  const name = limitLine(a2aCard.name, 128);
  if (name === "") throw createCardFailure("agentCard.noName");
  return agentCardSchema.parse({
    name,
    ...parseExtensionParams(extension),
    description: limitLine(a2aCard.description, MAX_DESCRIPTION),
    ...(a2aCard.version === "" ? {} : { version: limitLine(a2aCard.version, 64) }),
    skills: a2aCard.skills.slice(0, MAX_SKILLS).map((skill) => ({
      id: limitLine(skill.id, 128),
      name: limitLine(skill.name, 128),
      description: limitLine(skill.description, MAX_SKILL_TEXT),
      tags: skill.tags.slice(0, MAX_EXAMPLES).map((tag) => limitLine(tag, 64)),
      examples: skill.examples.slice(0, MAX_EXAMPLES).map((example) => limitLine(example, MAX_SKILL_TEXT)),
    })),
    capabilities: {
      streaming: a2aCard.capabilities?.streaming ?? false,
      push_notifications: a2aCard.capabilities?.pushNotifications ?? false,
    },
  });
}

function parseExtensionParams(extension: AgentExtension | undefined) {
  const { data } = extensionParamsSchema.safeParse(extension?.params ?? {});
  if (data?.display_name === undefined) return data ?? {};
  return { ...data, display_name: limitLine(data.display_name, 128) };
}

/** Returns a text as one visible line of limited length. */
function limitLine(text: string, limit: number): string {
  return truncateWithEllipsis(toVisibleLine(text), limit - 1);
}
