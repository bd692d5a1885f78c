import { PLANNER, SUPER_AGENT } from "../protocol/events.ts";

/** What no agent of a user may be called: two speak for the system, the others mean something else in a path. */
export const RESERVED_NAMES = [SUPER_AGENT, PLANNER, "preview", ".well-known", ".", ".."];
