// The API calls of the first screen, kept small to speed up the first load. All others use `full-api.ts`, which is
// loaded with the first view that needs it.

import { createConversationsApi } from "../../client/conversations.ts";
import { createEndpointCalls } from "../../client/endpoint-calls.ts";
import { agentEndpoints } from "../../protocol/api/agent-endpoints.ts";
import { API_OPTIONS } from "./account.ts";
import { useQuery } from "@tanstack/react-query";

export const api = { ...createConversationsApi(API_OPTIONS), ...createEndpointCalls(agentEndpoints, API_OPTIONS) };

const STALE_TIME_MS = 300_000;

/**
 * Queries the status of the server: readiness, model, sign-in method. The result is fresh for 5 minutes. With `pollMs`,
 * refetches every `pollMs` ms.
 */
export function useHealth(pollMs?: number) {
  return useQuery({
    queryKey: ["health"],
    queryFn: () => api.health(),
    staleTime: STALE_TIME_MS,
    ...(pollMs === undefined ? {} : { refetchInterval: pollMs }),
  });
}
