// The client of one agent. A2A 1.0 and 0.3 have the same interface here. A peer is stateless and may be used by
// several exchanges at once. Each call takes a watch, which bounds its time, bytes and events and aborts it. All
// methods throw `AgentFailure`, or the error of a parser if an answer is invalid.

import {
  A2A_VERSION_HEADER,
  type SendMessageRequest,
  StreamResponse,
  Task,
  type AgentInterface,
  type Message,
} from "@a2a-js/sdk";
import { LEGACY_HTTP_EXTENSION_HEADER } from "@a2a-js/sdk/compat/v0_3";
import { LegacyJsonRpcTransport } from "@a2a-js/sdk/compat/v0_3/client";
import { EVENTS_EXTENSION } from "../protocol/a2a.ts";
import type { AgentCard } from "../protocol/agent.ts";
import { EventSplitter, type ServerEvent } from "../protocol/server-events.ts";
import {
  bindingOf,
  holdsError,
  NO_HISTORY,
  notA2A,
  posted,
  resultOf,
  rpcBody,
  type Binding,
  type Metadata,
  type Method,
} from "./binding.ts";
import type { Watch } from "./watch.ts";
import { call, checkAccess, checkStatus, readBody, readJson, watched, type Caller } from "./wire.ts";

/** An agent and its methods. */
export type Peer = {
  readonly card: AgentCard;
  /** True if the agent sends its events by our extension and resumes from checkpoints. */
  readonly isKin: boolean;
  /** Sends a message and yields the responses, in the batches in which they arrived. */
  stream(message: Message, watch: Watch): AsyncIterable<readonly StreamResponse[]>;
  /** Yields the responses of a running task, beginning with its current state. */
  subscribe(id: string, watch: Watch): AsyncIterable<readonly StreamResponse[]>;
  send(message: Message, watch: Watch): Promise<StreamResponse>;
  task(id: string, watch: Watch): Promise<Task>;
  cancel(id: string, watch: Watch, metadata?: Metadata): Promise<void>;
  /** Returns the card for authenticated clients, unparsed. */
  extendedCard(watch: Watch): Promise<unknown>;
};

/** A card, and whether the agent supports our extension. */
export type Known = { readonly card: AgentCard; readonly isKin: boolean };

const LEGACY_HEADERS = { [A2A_VERSION_HEADER]: "0.3", [LEGACY_HTTP_EXTENSION_HEADER]: EVENTS_EXTENSION };

/** Creates the peer for an interface of an agent. */
export function createPeer(caller: Caller, known: Known, endpoint: AgentInterface): Peer {
  return isLegacy(endpoint) ? legacyPeer(caller, known, endpoint) : currentPeer(caller, known, endpoint);
}

/** A2A 1.0. It uses the SDK's codecs, but not its client, which returns one event per await. */
function currentPeer(caller: Caller, known: Known, endpoint: AgentInterface): Peer {
  const binding = bindingOf(endpoint);
  const params = (message: Message) => requestWith(message, endpoint.tenant);
  const ask = async (method: Method, watch: Watch): Promise<object> => {
    const { url, init } = binding.request(method, "application/json");
    return binding.result(await answerTo(caller, url, init, watch));
  };
  return {
    ...known,
    stream: (message, watch) =>
      streamFrom(caller, binding, { name: "SendStreamingMessage", params: params(message) }, watch),
    subscribe: (id, watch) => streamFrom(caller, binding, { name: "SubscribeToTask", id }, watch),
    send: async (message, watch) => responseIn(await ask({ name: "SendMessage", params: params(message) }, watch)),
    task: async (id, watch) => Task.fromJSON(await ask({ name: "GetTask", id }, watch)),
    async cancel(id, watch, metadata) {
      await ask({ name: "CancelTask", id, metadata }, watch);
    },
    extendedCard: (watch) => ask({ name: "GetExtendedAgentCard" }, watch),
  };
}

/** A2A 0.3. The SDK's client translates its messages. */
function legacyPeer(caller: Caller, known: Known, { url, tenant }: AgentInterface): Peer {
  const options = { serviceParameters: LEGACY_HEADERS };
  const transport = (watch: Watch) => legacyTransport(caller, url, watch);
  async function* told(events: AsyncIterable<StreamResponse>, watch: Watch): AsyncGenerator<readonly StreamResponse[]> {
    for await (const event of events) {
      watch.told(1);
      yield [event];
    }
  }
  return {
    ...known,
    stream: (message, watch) => told(transport(watch).sendMessageStream(requestWith(message, tenant), options), watch),
    subscribe: (id, watch) => told(transport(watch).resubscribeTask({ tenant, id }, options), watch),
    async send(message, watch) {
      const value = await transport(watch).sendMessage(requestWith(message, tenant), options);
      return { payload: "messageId" in value ? { $case: "message", value } : { $case: "task", value } };
    },
    task: (id, watch) => transport(watch).getTask({ tenant, id, historyLength: NO_HISTORY }, options),
    async cancel(id, watch, metadata) {
      await transport(watch).cancelTask({ tenant, id, metadata }, options);
    },
    async extendedCard(watch) {
      const { headers, ...init } = posted(rpcBody("agent/getAuthenticatedExtendedCard", {}), "application/json");
      return resultOf(await answerTo(caller, url, { ...init, headers: { ...headers, ...LEGACY_HEADERS } }, watch));
    },
  };
}

function requestWith(message: Message, tenant: string): SendMessageRequest {
  const configuration = {
    acceptedOutputModes: ["text/plain", "application/json"],
    taskPushNotificationConfig: undefined,
    returnImmediately: false,
  };
  return { tenant, message, configuration, metadata: undefined };
}

/** True for A2A 0.x. */
export function isLegacy({ protocolVersion }: AgentInterface): boolean {
  return protocolVersion.startsWith("0.");
}

function legacyTransport(caller: Caller, url: string, watch: Watch): LegacyJsonRpcTransport {
  const fetchImpl: typeof fetch = async (input, init) => {
    const response = await call(caller, typeof input === "string" ? input : url, { ...init }, watch);
    return inLowerCase(watched(await checked(response, watch), watch));
  };
  return new LegacyJsonRpcTransport({ endpoint: url, fetchImpl });
}

/** The SDK's client compares content types case-sensitively. */
function inLowerCase(response: Response): Response {
  const { body, status, statusText } = response;
  return new Response(body, { status, statusText, headers: { "content-type": typeOf(response) } });
}

/** Returns the JSON body of a single call. */
async function answerTo(caller: Caller, url: string, init: RequestInit, watch: Watch): Promise<unknown> {
  const response = await call(caller, url, init, watch);
  return readJson(await checked(response, watch), watch);
}

/**
 * Yields the responses of a stream. Events that arrive together are decoded together, which halves the cost and lets
 * the caller join text.
 */
async function* streamFrom(
  caller: Caller,
  binding: Binding,
  method: Method,
  watch: Watch,
): AsyncGenerator<readonly StreamResponse[]> {
  const { url, init } = binding.request(method, "text/event-stream");
  const response = await call(caller, url, init, watch);
  if (!typeOf(response).startsWith("text/event-stream")) {
    yield [responseIn(binding.result(await readJson(await checked(response, watch), watch)))];
    return;
  }
  checkStatus(response);
  const utf8 = new TextDecoder();
  const events = new EventSplitter();
  for await (const piece of readBody(response, watch)) {
    const { responses, trouble } = decoded(binding, events.feed(utf8.decode(piece, { stream: true })), watch);
    if (responses.length > 0) yield responses;
    if (trouble !== undefined) throw trouble;
  }
  const { responses, trouble } = decoded(binding, events.end(), watch);
  if (responses.length > 0) yield responses;
  if (trouble !== undefined) throw trouble;
}

/** Statuses of proxies, and of agents that accept no requests at the moment. */
const AWAY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Returns a successful response, or an error response with a JSON-RPC error, which is more precise than its status.
 * Throws an `AgentFailure` in all other cases.
 */
async function checked(response: Response, watch: Watch): Promise<Response> {
  if (response.ok) return response;
  checkAccess(response);
  if (AWAY.has(response.status) || !typeOf(response).includes("json")) checkStatus(response);
  const body = await readJson(response, watch).catch((thrown: unknown) => {
    if (!(thrown instanceof SyntaxError)) throw thrown;
  });
  if (!holdsError(body)) checkStatus(response);
  return Response.json(body, { status: response.status });
}

function typeOf({ headers }: Response): string {
  return headers.get("content-type")?.toLowerCase() ?? "";
}

/**
 * Decodes events that arrived together. Events before an undecodable one are returned with the error, so that they
 * are emitted first.
 */
function decoded(
  binding: Binding,
  events: readonly ServerEvent[],
  watch: Watch,
): { readonly responses: readonly StreamResponse[]; readonly trouble?: unknown } {
  watch.told(events.length);
  const responses: StreamResponse[] = [];
  try {
    for (const { data } of events) responses.push(responseIn(binding.result(JSON.parse(data))));
    return { responses };
  } catch (trouble) {
    return { responses, trouble };
  }
}

/** Parses a response. Throws an `AgentFailure` if it has no known payload. */
function responseIn(result: object): StreamResponse {
  const response = StreamResponse.fromJSON(result);
  if (response.payload === undefined) throw notA2A();
  return response;
}
