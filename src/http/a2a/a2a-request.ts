// The parts of an HTTP request that both bindings need: the identity of its user, its agent, and its context.

import type { Context } from "hono";
import { buildExtensionHeaders, type A2AVersion } from "../../a2a/a2a-version.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import { Failure } from "../../protocol/wire/message-error.ts";
import { getSettings } from "../../settings.ts";
import { createOperations } from "../api/operations.ts";
import type { HonoEnv } from "../api/http-route.ts";
import type { Identity } from "../authenticate.ts";
import { HEARTBEAT_MS } from "../sse.ts";
import { toA2AError } from "./a2a-errors.ts";
import type { A2ARequestContext } from "./a2a-request-context.ts";

export type A2AHttpContext = Context<HonoEnv>;

/** A request to the runtime or to one of its agents. */
export type OpenedRequest = {
  readonly context: A2ARequestContext;
  /** The headers of its response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Aborts the context when the client disconnects. */
  readonly disconnect: AbortController;
};

/** Returns the endpoint path of an agent, or of the runtime if `name` is undefined. */
export function getAgentPath(name: string | undefined): string {
  return name === undefined ? "/a2a" : `/a2a/${encodeURIComponent(name)}`;
}

/**
 * Opens a request of a user to an agent, or to the runtime if `name` is undefined. Rejects with a `Failure`
 * (`agent_unreachable`) if the user has no such agent.
 */
export async function openA2ARequest(
  { env, req }: A2AHttpContext,
  { userId, expiresAt }: Identity,
  name: string | undefined,
  dialect: A2AVersion,
): Promise<OpenedRequest> {
  const settings = getSettings(env);
  const operations = createOperations({ env, settings, userId, expiresAt });
  const agent = name === undefined ? null : await operations.getEnabledAgent(name).catch(rethrowAsMissingAgent);
  const headers = buildExtensionHeaders(req.raw);
  const disconnect = new AbortController();
  const url = `${new URL(req.url).origin}${getAgentPath(name)}`;
  const usesExtension = Object.keys(headers).length > 0;
  const disconnectSignal = disconnect.signal;
  const context = { operations, settings, agent, dialect, usesExtension, disconnectSignal, expiresAt, url };
  return { context, headers, disconnect };
}

/** Rethrows not-found faults as failures of the agent, so that they respond with HTTP 404. */
function rethrowAsMissingAgent(thrown: unknown): never {
  if (thrown instanceof Fault && thrown.code === "not_found") throw new Failure("agent_unreachable", thrown.message);
  throw thrown;
}

/** Returns the options of a response that may take long. `encode` encodes an A2A error as JSON. */
export function createResponseOptions(disconnect: AbortController, encode: (error: Error) => unknown) {
  return {
    onDisconnect: () => disconnect.abort(new Error("The client disconnected.")),
    encodeError: (thrown: unknown) => encode(toA2AError(thrown)),
    heartbeatMs: HEARTBEAT_MS,
  };
}
