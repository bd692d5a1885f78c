// All HTTP calls of the client in one object. A page that needs only some of them imports the file of that resource, so
// that its bundle stays small.

import { createAgentsApi, type AgentsClient } from "./agents.ts";
import { createConversationsApi, type ConversationsClient } from "./conversations.ts";
import { createDatasetsApi, type DatasetsClient } from "./datasets.ts";
import type { ApiOptions } from "./http-client.ts";
import { createPagesApi, type PagesClient } from "./pages.ts";
import { createPlansApi, type PlansClient } from "./plans.ts";
import { createSchedulesApi, type SchedulesClient } from "./schedules.ts";
import { createToolsApi, type ToolsClient } from "./tools.ts";

export type { ApiOptions, TokenSource } from "./http-client.ts";

/**
 * All methods reject with a `Fault` (the problem that the server returned, or `unavailable` if it cannot be reached),
 * or with a `ZodError` if the response does not match its schema.
 */
export type ApiClient = ConversationsClient &
  AgentsClient &
  SchedulesClient &
  ToolsClient &
  DatasetsClient &
  PlansClient &
  PagesClient;

/** Creates all calls for one server and one token. Sends nothing until a method is called. */
export function createApi(options: ApiOptions): ApiClient {
  return {
    ...createConversationsApi(options),
    ...createAgentsApi(options),
    ...createSchedulesApi(options),
    ...createToolsApi(options),
    ...createDatasetsApi(options),
    ...createPlansApi(options),
    ...createPagesApi(options),
  };
}
