// The cards, in /openapi.json. What is done with them is JSON-RPC, and described by A2A.

import * as z from "zod";
import type { Described } from "../route.ts";

/** As much of a card as every version has; the specification has the rest. */
const card = z.looseObject({
  name: z.string(),
  description: z.string(),
  version: z.string(),
  supportedInterfaces: z.array(
    z.object({ url: z.string(), protocolBinding: z.literal("JSONRPC"), protocolVersion: z.string() }),
  ),
  capabilities: z.looseObject({ streaming: z.boolean(), pushNotifications: z.boolean() }),
  defaultInputModes: z.array(z.string()),
  defaultOutputModes: z.array(z.string()),
  skills: z.array(
    z.looseObject({ id: z.string(), name: z.string(), description: z.string(), tags: z.array(z.string()) }),
  ),
});

const common = {
  method: "get",
  tag: "A2A",
  query: null,
  headers: {
    "a2a-version": "`1.0` leaves out what only 0.3 knows.",
    "if-none-match": "The tag of the card that is there already: answered with 304 while it is the same.",
  },
  body: null,
  answer: {
    status: 200,
    description: "The card, by https://a2a-protocol.org",
    schema: card,
    headers: {
      ETag: "Changes with the card.",
      "Last-Modified": "When it was first given out.",
      "Cache-Control": "Five minutes, for everybody or for who asked.",
    },
  },
  streams: false,
} as const;

export const cardsDescribed: readonly Described[] = [
  { ...common, path: "/.well-known/agent-card.json", summary: "The A2A card of the runtime", isPublic: true },
  {
    ...common,
    path: "/a2a/{agent}/.well-known/agent-card.json",
    summary: "The A2A card of an agent; those of the deployment are public",
  },
];
