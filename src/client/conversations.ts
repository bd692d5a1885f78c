// Client calls for conversations, their content, and the health of the server.

import { conversationEndpoints } from "../protocol/api/conversation-endpoints.ts";
import type { EndpointCalls } from "../protocol/api/endpoint.ts";
import { healthSchema, type Health } from "../protocol/wire/http-responses.ts";
import { createEndpointCalls } from "./endpoint-calls.ts";
import { createHttpClient, toResponseFault, type ApiOptions } from "./http-client.ts";

export type ConversationsClient = EndpointCalls<typeof conversationEndpoints> & {
  /** Returns the health also of a server that is not ready; `missing` then names the missing part. */
  health(): Promise<Health>;
};

/** Creates the calls for conversations, as `createEndpointCalls` does. */
export function createConversationsApi(options: ApiOptions): ConversationsClient {
  return {
    ...createEndpointCalls(conversationEndpoints, options),
    health: async () => {
      const response = await createHttpClient(options).send("get", "/health");
      const answer: unknown = await response.json().catch(() => null);
      const health = healthSchema.safeParse(answer).data;
      if (health === undefined) throw toResponseFault(response.status, answer);
      return health;
    },
  };
}
