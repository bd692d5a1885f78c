// All HTTP calls of the client in one object. A page that needs only some of them imports the file of that resource, so
// that its bundle stays small.

import { createAgentsApi, type Agents } from "./agents.ts";
import { createConversationsApi, type Conversations } from "./conversations.ts";
import { createDatasetsApi, type Datasets } from "./datasets.ts";
import type { ApiOptions } from "./door.ts";
import { createPagesApi, type Pages } from "./pages.ts";
import { createPlansApi, type Plans } from "./plans.ts";
import { createSchedulesApi, type Schedules } from "./schedules.ts";
import { createToolsApi, type Tools } from "./tools.ts";

export type { ApiOptions, Token } from "./door.ts";

/**
 * All methods reject with a `Fault` (the problem that the server returned, or `unavailable` if it cannot be reached),
 * or with a `ZodError` if the response does not match its schema.
 */
export type Api = Conversations & Agents & Schedules & Tools & Datasets & Plans & Pages;

/** Creates all calls for one server and one token. Sends nothing until a method is called. */
export function createApi(options: ApiOptions): Api {
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
