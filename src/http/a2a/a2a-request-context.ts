// The context of one A2A request.

import type { A2AVersion } from "../../a2a/a2a-version.ts";
import type { Agent } from "../../protocol/agents/agent.ts";
import type { Settings } from "../../settings.ts";
import type { Operations } from "../api/operations.ts";

/** The dependencies and properties of one A2A request. Each request has its own. */
export type A2ARequestContext = {
  readonly operations: Operations;
  readonly settings: Settings;
  /** The agent that the request addresses; null for the runtime. */
  readonly agent: Agent | null;
  /** The A2A version of the request. */
  readonly dialect: A2AVersion;
  /** True if the client has activated our extension. It then receives events that A2A has no type for. */
  readonly usesExtension: boolean;
  /** Aborted when the client disconnects. It stops the response only; the work of the task continues. */
  readonly disconnectSignal: AbortSignal;
  /** The expiry of the client's token in ms since the epoch; null if it does not expire. */
  readonly expiresAt: number | null;
  /** The URL of this interface, without a trailing slash. */
  readonly url: string;
};
