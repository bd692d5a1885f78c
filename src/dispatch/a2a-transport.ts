// The two transports of A2A 1.0 methods: JSON-RPC, and HTTP with JSON. Parameters and results are the same in both.

import {
  A2A_PROTOCOL_VERSION,
  A2A_VERSION_HEADER,
  CancelTaskRequest,
  GetTaskRequest,
  HTTP_EXTENSION_HEADER,
  SendMessageRequest,
  SubscribeToTaskRequest,
  type AgentInterface,
} from "@a2a-js/sdk";
import { EVENTS_EXTENSION } from "../protocol/agents/a2a-extension.ts";
import { createRefusal, createAgentFailure } from "./agent-failure.ts";
import type { Failure } from "../protocol/wire/message-error.ts";

/** The metadata of a request, if any. */
export type RequestMetadata = Record<string, unknown> | undefined;

/** A call of an A2A method. */
export type A2AMethodCall =
  | { readonly name: "SendMessage" | "SendStreamingMessage"; readonly params: SendMessageRequest }
  | { readonly name: "GetTask" | "SubscribeToTask"; readonly id: string }
  | { readonly name: "CancelTask"; readonly id: string; readonly metadata: RequestMetadata }
  | { readonly name: "GetExtendedAgentCard" };

/** Encodes calls and decodes results for one interface of an agent. */
export type A2ATransport = {
  /** Returns the URL and the options of the HTTP request for a call. `accept` is the header of this name. */
  buildRequest(method: A2AMethodCall, accept: string): { readonly url: string; readonly init: RequestInit };
  /**
   * Returns the result in the JSON of an answer or of a stream event. Throws a `Failure` for an A2A error
   * (`agent_failed`) or anything else (`agent_protocol`).
   */
  readResult(body: unknown): object;
};

/** The `historyLength` of task requests: history may be long and is not used. */
export const NO_HISTORY = 0;

const HEADERS = { [A2A_VERSION_HEADER]: A2A_PROTOCOL_VERSION, [HTTP_EXTENSION_HEADER]: EVENTS_EXTENSION };

/** True if the interface uses the transport HTTP+JSON. */
export function isHttpJson({ protocolBinding }: AgentInterface): boolean {
  return protocolBinding.toUpperCase() === "HTTP+JSON";
}

/** Creates the transport of an interface: HTTP+JSON if it says so, otherwise JSON-RPC. */
export function createTransport(endpoint: AgentInterface): A2ATransport {
  return isHttpJson(endpoint) ? createHttpTransport(endpoint) : createJsonRpcTransport(endpoint);
}

function createJsonRpcTransport({ url, tenant }: AgentInterface): A2ATransport {
  return {
    buildRequest: (method, accept) => ({
      url,
      init: createPostInit(createRpcBody(method.name, encodeParams(method, tenant)), accept),
    }),
    readResult: readRpcResult,
  };
}

/** Creates the body of a JSON-RPC request, with the id 1. */
export function createRpcBody(method: string, params: unknown): unknown {
  return { jsonrpc: "2.0", id: 1, method, params };
}

function encodeParams(method: A2AMethodCall, tenant: string): unknown {
  switch (method.name) {
    case "SendMessage":
    case "SendStreamingMessage":
      return SendMessageRequest.toJSON({ ...method.params, tenant });
    case "GetTask":
      return GetTaskRequest.toJSON({ tenant, id: method.id, historyLength: NO_HISTORY });
    case "SubscribeToTask":
      return SubscribeToTaskRequest.toJSON({ tenant, id: method.id });
    case "CancelTask":
      return CancelTaskRequest.toJSON({ tenant, id: method.id, metadata: method.metadata });
    case "GetExtendedAgentCard":
      return tenant === "" ? {} : { tenant };
  }
}

function createHttpTransport({ url, tenant }: AgentInterface): A2ATransport {
  const base = new URL(url);
  const root = `${base.pathname.replace(/(?<!\/)\/+$/, "")}${tenant === "" ? "" : `/${encodeURIComponent(tenant)}`}`;
  const buildUrl = (path: string): string => new URL(`${root}${path}${base.search}`, base).href;
  const buildTaskUrl = (id: string, verb = ""): string => buildUrl(`/tasks/${encodeURIComponent(id)}${verb}`);
  return {
    buildRequest(method, accept) {
      switch (method.name) {
        case "SendMessage":
          return {
            url: buildUrl("/message:send"),
            init: createPostInit(SendMessageRequest.toJSON(method.params), accept),
          };
        case "SendStreamingMessage":
          return {
            url: buildUrl("/message:stream"),
            init: createPostInit(SendMessageRequest.toJSON(method.params), accept),
          };
        case "GetTask":
          return { url: addNoHistory(buildTaskUrl(method.id)), init: { headers: { ...HEADERS, accept } } };
        case "SubscribeToTask":
          return { url: buildTaskUrl(method.id, ":subscribe"), init: createPostInit({}, accept) };
        case "CancelTask":
          return {
            url: buildTaskUrl(method.id, ":cancel"),
            init: createPostInit({ metadata: method.metadata }, accept),
          };
        case "GetExtendedAgentCard":
          return { url: buildUrl("/extendedAgentCard"), init: { headers: { ...HEADERS, accept } } };
      }
    },
    readResult(body) {
      if (!isObject(body)) throw createProtocolFailure();
      if (hasErrorObject(body)) throw createRefusal(readErrorMessage(body.error));
      return body;
    },
  };
}

function addNoHistory(address: string): string {
  return `${address}${address.includes("?") ? "&" : "?"}historyLength=${NO_HISTORY}`;
}

/**
 * Creates the options of a POST with JSON, the version header of A2A 1.0, and the header that requests our extension.
 */
export function createPostInit(body: unknown, accept: string): RequestInit {
  const headers = { ...HEADERS, "content-type": "application/json", accept };
  return { method: "POST", headers, body: JSON.stringify(body) };
}

/**
 * Returns the result of a JSON-RPC response. Throws a `Failure` for an error (`agent_failed`) or anything else
 * (`agent_protocol`).
 */
export function readRpcResult(envelope: unknown): object {
  if (hasErrorObject(envelope)) throw createRefusal(readErrorMessage(envelope.error));
  if (!isObject(envelope) || !("result" in envelope) || !isObject(envelope.result)) throw createProtocolFailure();
  return envelope.result;
}

/** True if the JSON has an object `error`, which is an error of A2A in either transport. */
export function hasErrorObject(body: unknown): body is { readonly error: object } {
  return isObject(body) && "error" in body && isObject(body.error);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Creates the failure (`agent_protocol`) for an answer that is not A2A. */
export function createProtocolFailure(): Failure {
  return createAgentFailure("agent_protocol", "agent.invalidResponse");
}

function readErrorMessage(error: object): string {
  return "message" in error && typeof error.message === "string" ? error.message : "";
}
