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
import { EVENTS_EXTENSION } from "../protocol/a2a.ts";
import { AgentFailure, brief } from "./failure.ts";

/** The metadata of a request, if any. */
export type Metadata = Record<string, unknown> | undefined;

/** A call of an A2A method. */
export type Method =
  | { readonly name: "SendMessage" | "SendStreamingMessage"; readonly params: SendMessageRequest }
  | { readonly name: "GetTask" | "SubscribeToTask"; readonly id: string }
  | { readonly name: "CancelTask"; readonly id: string; readonly metadata: Metadata }
  | { readonly name: "GetExtendedAgentCard" };

/** Encodes calls and decodes results for one interface of an agent. */
export type Binding = {
  /** Returns the URL and the options of the HTTP request for a call. */
  request(method: Method, accept: string): { readonly url: string; readonly init: RequestInit };
  /** Returns the result in an answer or stream event. Throws an `AgentFailure` for an error or anything else. */
  result(body: unknown): object;
};

/** The `historyLength` of task requests: history may be long and is not used. */
export const NO_HISTORY = 0;

const HEADERS = { [A2A_VERSION_HEADER]: A2A_PROTOCOL_VERSION, [HTTP_EXTENSION_HEADER]: EVENTS_EXTENSION };

/** True for the transport HTTP+JSON. */
export function isHttpJson({ protocolBinding }: AgentInterface): boolean {
  return protocolBinding.toUpperCase() === "HTTP+JSON";
}

/** Creates the binding for an interface: HTTP+JSON, or JSON-RPC in all other cases. */
export function bindingOf(endpoint: AgentInterface): Binding {
  return isHttpJson(endpoint) ? overHttp(endpoint) : overJsonRpc(endpoint);
}

function overJsonRpc({ url, tenant }: AgentInterface): Binding {
  return {
    request: (method, accept) => ({ url, init: posted(rpcBody(method.name, paramsOf(method, tenant)), accept) }),
    result: resultOf,
  };
}

/** Creates a JSON-RPC request. */
export function rpcBody(method: string, params: unknown): unknown {
  return { jsonrpc: "2.0", id: 1, method, params };
}

function paramsOf(method: Method, tenant: string): unknown {
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

function overHttp({ url, tenant }: AgentInterface): Binding {
  const base = new URL(url);
  const root = `${base.pathname.replace(/(?<!\/)\/+$/, "")}${tenant === "" ? "" : `/${encodeURIComponent(tenant)}`}`;
  const at = (path: string): string => new URL(`${root}${path}${base.search}`, base).href;
  const ofTask = (id: string, verb = ""): string => at(`/tasks/${encodeURIComponent(id)}${verb}`);
  return {
    request(method, accept) {
      switch (method.name) {
        case "SendMessage":
          return { url: at("/message:send"), init: posted(SendMessageRequest.toJSON(method.params), accept) };
        case "SendStreamingMessage":
          return { url: at("/message:stream"), init: posted(SendMessageRequest.toJSON(method.params), accept) };
        case "GetTask":
          return { url: withoutHistory(ofTask(method.id)), init: { headers: { ...HEADERS, accept } } };
        case "SubscribeToTask":
          return { url: ofTask(method.id, ":subscribe"), init: posted({}, accept) };
        case "CancelTask":
          return { url: ofTask(method.id, ":cancel"), init: posted({ metadata: method.metadata }, accept) };
        case "GetExtendedAgentCard":
          return { url: at("/extendedAgentCard"), init: { headers: { ...HEADERS, accept } } };
      }
    },
    result(body) {
      if (!isObject(body)) throw notA2A();
      if (holdsError(body)) throw refusal(body.error);
      return body;
    },
  };
}

function withoutHistory(address: string): string {
  return `${address}${address.includes("?") ? "&" : "?"}historyLength=${NO_HISTORY}`;
}

/** Creates the options of a POST with JSON and the headers of A2A 1.0. */
export function posted(body: unknown, accept: string): RequestInit {
  const headers = { ...HEADERS, "content-type": "application/json", accept };
  return { method: "POST", headers, body: JSON.stringify(body) };
}

/**
 * Returns the result of a JSON-RPC response. Throws an `AgentFailure` for an error (`agent_failed`) or anything else
 * (`agent_protocol`).
 */
export function resultOf(envelope: unknown): object {
  if (holdsError(envelope)) throw refusal(envelope.error);
  if (!isObject(envelope) || !("result" in envelope) || !isObject(envelope.result)) throw notA2A();
  return envelope.result;
}

/** True if the body is an error of A2A, in either transport. */
export function holdsError(body: unknown): body is { readonly error: object } {
  return isObject(body) && "error" in body && isObject(body.error);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Creates the failure for an answer that is not A2A. */
export function notA2A(): AgentFailure {
  return new AgentFailure("agent_protocol", "The agent answered with something that is not A2A.");
}

function refusal(error: object): AgentFailure {
  const message = "message" in error ? error.message : undefined;
  const words = typeof message === "string" && message !== "" ? brief(message) : "it gave no reason";
  return new AgentFailure("agent_failed", `The agent refused: ${words}`);
}
