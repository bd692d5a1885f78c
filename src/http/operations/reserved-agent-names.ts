// Agent names that users cannot register.

import { PLANNER, SUPER_AGENT } from "../../protocol/wire/events.ts";

/** The first two are names of the system; the others have a special meaning as a path segment of a URL. */
export const RESERVED_AGENT_NAMES = [SUPER_AGENT, PLANNER, "preview", ".well-known", ".", ".."];
