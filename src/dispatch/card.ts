// Parses agent cards of A2A 1.0 and 0.3, and limits the length of their texts.

import { AgentCard as A2ACard, type AgentExtension, type AgentInterface } from "@a2a-js/sdk";
import { isLegacyAgentCard, parseLegacyAgentCard } from "@a2a-js/sdk/compat/v0_3/client";
import { EVENTS_EXTENSION, extensionParamsSchema } from "../protocol/a2a.ts";
import { agentCardSchema, type AgentCard } from "../protocol/agent.ts";
import { shortened } from "../protocol/shortened.ts";
import { isHttpJson } from "./binding.ts";
import { keyPlaceOf, type KeyPlace } from "./credentials.ts";
import { isLegacy, type Known } from "./peer.ts";

/** Triage and planner read these texts of every card in their prompts, so they are truncated. */
const MAX_DESCRIPTION = 2_000;
const MAX_WORDS = 500;
const MAX_SKILLS = 32;
const MAX_EXAMPLES = 12;

/** Fields that A2A 0.3 requires and that many cards lack. */
const LEGACY_GAPS = {
  description: "",
  version: "",
  capabilities: {},
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
};

/** A parsed card with the interface that we use. */
export type ReadCard = Known & {
  readonly endpoint: AgentInterface;
  /** The location of the API key, if the card declares one. */
  readonly keyPlace: KeyPlace | undefined;
  /** True if the agent has an extended card for authenticated clients. */
  readonly isExtended: boolean;
};

/** The reason why a document is not an agent card, as the end of a sentence. */
export class NoCard extends Error {
  override readonly name = "NoCard";
}

/**
 * Parses a card of A2A 1.0 or 0.3 and fills in missing fields (F83). URLs are resolved against `cardUrl`. Throws
 * `InvalidCardError`, or the parser's error.
 */
export function readCard(raw: unknown, cardUrl: string): ReadCard {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) throw new NoCard("it is not a JSON object");
  const a2aCard = isLegacyAgentCard(raw) ? parseLegacyAgentCard({ ...LEGACY_GAPS, ...raw }) : A2ACard.fromJSON(raw);
  const endpoint = endpointIn(a2aCard.supportedInterfaces);
  if (endpoint === undefined)
    throw new NoCard("it offers no JSON-RPC interface of A2A 1.0 or 0.3, nor HTTP+JSON of 1.0");
  if (!URL.canParse(endpoint.url, cardUrl)) throw new NoCard("the address of its interface is none");
  const extension = a2aCard.capabilities?.extensions.find(({ uri }) => uri === EVENTS_EXTENSION);
  return {
    card: toOurs(a2aCard, extension),
    endpoint: { ...endpoint, url: new URL(endpoint.url, cardUrl).href },
    isKin: extension !== undefined,
    keyPlace: keyPlaceOf(a2aCard),
    isExtended: a2aCard.capabilities?.extendedAgentCard === true,
  };
}

/** Selects the interface: JSON-RPC 1.x, else JSON-RPC 0.x, else HTTP+JSON 1.x; undefined if there is none. */
function endpointIn(interfaces: readonly AgentInterface[]): AgentInterface | undefined {
  const isCurrent = ({ protocolVersion }: AgentInterface): boolean => protocolVersion.startsWith("1");
  const spoken = interfaces.filter(({ protocolBinding }) => protocolBinding.toUpperCase() === "JSONRPC");
  const overHttp = interfaces.filter(isHttpJson);
  return spoken.find(isCurrent) ?? spoken.find(isLegacy) ?? overHttp.find(isCurrent);
}

function toOurs(a2aCard: A2ACard, extension: AgentExtension | undefined): AgentCard {
  const name = plain(a2aCard.name, 128);
  if (name === "") throw new NoCard("it has no name");
  return agentCardSchema.parse({
    name,
    ...ours(extension),
    description: plain(a2aCard.description, MAX_DESCRIPTION),
    ...(a2aCard.version === "" ? {} : { version: plain(a2aCard.version, 64) }),
    skills: a2aCard.skills.slice(0, MAX_SKILLS).map((skill) => ({
      id: plain(skill.id, 128),
      name: plain(skill.name, 128),
      description: plain(skill.description, MAX_WORDS),
      tags: skill.tags.slice(0, MAX_EXAMPLES).map((tag) => plain(tag, 64)),
      examples: skill.examples.slice(0, MAX_EXAMPLES).map((example) => plain(example, MAX_WORDS)),
    })),
    capabilities: {
      streaming: a2aCard.capabilities?.streaming ?? false,
      push_notifications: a2aCard.capabilities?.pushNotifications ?? false,
    },
  });
}

function ours(extension: AgentExtension | undefined) {
  const { data } = extensionParamsSchema.safeParse(extension?.params ?? {});
  if (data?.display_name === undefined) return data ?? {};
  return { ...data, display_name: plain(data.display_name, 128) };
}

/** Removes control and format characters, including bidirectional marks, and truncates. */
function plain(words: string, limit: number): string {
  const visible = words.replace(/[\p{Cc}\p{Cf}]+/gu, " ").trim();
  return shortened(visible, limit - 1);
}
