// The calls that the first screen makes. Everything else goes over `runtime.ts`, which is loaded with the first view
// that wants more.

import { createAgentsApi } from "../client/agents.ts";
import { createConversationsApi } from "../client/conversations.ts";
import { RUNTIME } from "./account.ts";

export const api = { ...createConversationsApi(RUNTIME), ...createAgentsApi(RUNTIME) };
