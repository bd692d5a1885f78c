import { PLANNER, SUPER_AGENT } from "../protocol/events.ts";

/** What no agent of a user may be called: two speak for the system, the third is a door next to the agents. */
export const RESERVED_NAMES = [SUPER_AGENT, PLANNER, "preview"];
