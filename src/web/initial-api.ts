// The API calls of the first screen, kept small to speed up the first load. All others use `full-api.ts`, which is
// loaded with the first view that needs it.

import { createAgentsApi } from "../client/agents.ts";
import { createConversationsApi } from "../client/conversations.ts";
import { API_OPTIONS } from "./account.ts";

export const api = { ...createConversationsApi(API_OPTIONS), ...createAgentsApi(API_OPTIONS) };
