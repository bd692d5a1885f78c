// The agent card routes as entries of /openapi.json. A2A itself documents all other calls, in both bindings.

import * as z from "zod";
import type { RouteDescription } from "../api/http-route.ts";

/** The members that a card has in every A2A version; see the A2A specification for the others. */
const a2aCardSchema = z.looseObject({
  name: z.string(),
  description: z.string(),
  version: z.string(),
  supportedInterfaces: z.array(
    z.object({ url: z.string(), protocolBinding: z.enum(["JSONRPC", "HTTP+JSON"]), protocolVersion: z.string() }),
  ),
  capabilities: z.looseObject({ streaming: z.boolean(), pushNotifications: z.boolean() }),
  defaultInputModes: z.array(z.string()),
  defaultOutputModes: z.array(z.string()),
  skills: z.array(
    z.looseObject({ id: z.string(), name: z.string(), description: z.string(), tags: z.array(z.string()) }),
  ),
});

/** The parts that both card operations share. */
const CARD_OPERATION = {
  method: "get",
  tag: "A2A",
  query: null,
  headers: {
    "a2a-version": "`1.0` omits the members that only version 0.3 has.",
    "if-none-match": "The `ETag` of the client's copy. The response is 304 while the card is unchanged.",
  },
  body: null,
  answer: {
    status: 200,
    description: "The agent card, as defined by https://a2a-protocol.org",
    schema: a2aCardSchema,
    headers: {
      ETag: "Changes with the card.",
      "Last-Modified": "The time at which this card was first served.",
      "Cache-Control": "Five minutes; `private` if the card depends on the user.",
    },
  },
  streams: false,
} as const;

/** The OpenAPI operations of the agent cards, listed in /openapi.json. */
export const agentCardOperations: readonly RouteDescription[] = [
  {
    ...CARD_OPERATION,
    path: "/.well-known/agent-card.json",
    summary: "Get the agent card of the runtime",
    isPublic: true,
  },
  {
    ...CARD_OPERATION,
    path: "/a2a/{agent}/.well-known/agent-card.json",
    summary: "Get the agent card of an agent; agents of the deployment need no token",
  },
];
