// All HTTP calls that clients need beside the socket, in one object. What is wanted alone, such as by a page that loads
// little, is made by the file of its kind.

import { createAgentsApi, type Agents } from "./agents.ts";
import { createConversationsApi, type Conversations } from "./conversations.ts";
import { createDatasetsApi, type Datasets } from "./datasets.ts";
import type { ApiOptions } from "./door.ts";
import { createPagesApi, type Pages } from "./pages.ts";
import { createPlansApi, type Plans } from "./plans.ts";
import { createSchedulesApi, type Schedules } from "./schedules.ts";
import { createToolsApi, type Tools } from "./tools.ts";

export type { ApiOptions, Token } from "./door.ts";

/** Every method rejects with a `Fault`: the server's own problem, or `unavailable` when it cannot be reached. */
export type Api = Conversations & Agents & Schedules & Tools & Datasets & Plans & Pages;

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
