// The API calls of the first screen, kept small to speed up the first load. All others use `full-api.ts`, which is
// loaded with the first view that needs it.

import { createConversationsApi } from "../../client/conversations.ts";
import { createEndpointCalls } from "../../client/endpoint-calls.ts";
import { agentEndpoints } from "../../protocol/api/agent-endpoints.ts";
import { API_OPTIONS } from "./account.ts";

export const api = { ...createConversationsApi(API_OPTIONS), ...createEndpointCalls(agentEndpoints, API_OPTIONS) };
