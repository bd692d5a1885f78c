// All HTTP calls of the client in one object. A page that needs only some of them creates these from their tables of
// endpoints (`createEndpointCalls`), so that its bundle stays small.

import { agentEndpoints } from "../protocol/api/agent-endpoints.ts";
import { agentSetupEndpoints } from "../protocol/api/agent-setup-endpoints.ts";
import type { EndpointCalls } from "../protocol/api/endpoint.ts";
import { profileEndpoints } from "../protocol/api/profile-endpoints.ts";
import { scheduleEndpoints } from "../protocol/api/schedule-endpoints.ts";
import { toolEndpoints } from "../protocol/api/tool-endpoints.ts";
import { workflowEndpoints } from "../protocol/api/workflow-endpoints.ts";
import { createConversationsApi, type ConversationsClient } from "./conversations.ts";
import { createDatasetsApi, type DatasetsClient } from "./datasets.ts";
import { createEndpointCalls } from "./endpoint-calls.ts";
import type { ApiOptions } from "./http-client.ts";
import { createPagesApi, type PagesClient } from "./pages.ts";

export type { ApiOptions, TokenSource } from "./http-client.ts";

const endpoints = {
  ...agentEndpoints,
  ...agentSetupEndpoints,
  ...profileEndpoints,
  ...scheduleEndpoints,
  ...toolEndpoints,
  ...workflowEndpoints,
};

/**
 * All methods reject with a `Fault` (the problem that the server returned, or `unavailable` if it cannot be reached),
 * or with a `ZodError` if the response does not match its schema.
 */
export type ApiClient = ConversationsClient & EndpointCalls<typeof endpoints> & DatasetsClient & PagesClient;

/** Creates all calls for one server and one token. Sends nothing until a method is called. */
export function createApi(options: ApiOptions): ApiClient {
  return {
    ...createConversationsApi(options),
    ...createEndpointCalls(endpoints, options),
    ...createDatasetsApi(options),
    ...createPagesApi(options),
  };
}
