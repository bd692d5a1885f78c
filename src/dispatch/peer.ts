// The client of one agent. A2A 1.0 and 0.3 have the same interface here. A peer is stateless and may be used by
// several exchanges at once. Each call takes a watch, which bounds its time, bytes and events and aborts it. All
// methods throw `Failure`, or the error of a parser if an answer is invalid.

import {
  A2A_VERSION_HEADER,
  type SendMessageRequest,
  StreamResponse,
  Task,
  type AgentInterface,
  type Message,
} from "@a2a-js/sdk";
import { LEGACY_HTTP_EXTENSION_HEADER } from "@a2a-js/sdk/compat/v0_3";
import type { LegacyJsonRpcTransport } from "@a2a-js/sdk/compat/v0_3/client";
import { EVENTS_EXTENSION } from "../protocol/agents/a2a-extension.ts";
import type { AgentCard } from "../protocol/agents/agent.ts";
import { SseParser, type ServerSentEvent } from "../lib/sse-parser.ts";
import {
  createTransport,
  hasErrorObject,
  NO_HISTORY,
  createProtocolFailure,
  createPostInit,
  readRpcResult,
  createRpcBody,
  type A2ATransport,
  type RequestMetadata,
  type A2AMethodCall,
} from "./a2a-transport.ts";
import type { ExchangeWatch } from "./exchange-watch.ts";
import {
  sendRequest,
  assertAuthorized,
  assertOk,
  readBody,
  readJson,
  withWatchedBody,
  type HttpFetcher,
} from "./agent-http.ts";

/** An agent and its methods. */
export type Peer = {
  readonly card: AgentCard;
  /** True if the agent sends its events by our extension and resumes from checkpoints. */
  readonly hasExtension: boolean;
  /** Sends a message and yields the responses, in the batches in which they arrived. */
  stream(message: Message, watch: ExchangeWatch): AsyncIterable<readonly StreamResponse[]>;
  /** Yields the responses of a running task, beginning with its current state. */
  subscribe(id: string, watch: ExchangeWatch): AsyncIterable<readonly StreamResponse[]>;
  /** Sends a message without a stream and returns its only response: a message or a task. */
  send(message: Message, watch: ExchangeWatch): Promise<StreamResponse>;
  /** Returns the current state of a task, without its history. */
  task(id: string, watch: ExchangeWatch): Promise<Task>;
  /** Cancels a task. */
  cancel(id: string, watch: ExchangeWatch, metadata?: RequestMetadata): Promise<void>;
  /** Returns the card for authenticated clients, unparsed. */
  extendedCard(watch: ExchangeWatch): Promise<unknown>;
};

/** A card, and whether the agent supports our extension. */
export type PeerInfo = { readonly card: AgentCard; readonly hasExtension: boolean };

const LEGACY_HEADERS = { [A2A_VERSION_HEADER]: "0.3", [LEGACY_HTTP_EXTENSION_HEADER]: EVENTS_EXTENSION };

/** Creates the peer for an interface of an agent. `caller` sends its requests. Sends none itself. */
export function createPeer(caller: HttpFetcher, known: PeerInfo, endpoint: AgentInterface): Peer {
  return isLegacyInterface(endpoint)
    ? createLegacyPeer(caller, known, endpoint)
    : createCurrentPeer(caller, known, endpoint);
}

/** A2A 1.0. It uses the SDK's codecs, but not its client, which returns one event per await. */
function createCurrentPeer(caller: HttpFetcher, known: PeerInfo, endpoint: AgentInterface): Peer {
  const transport = createTransport(endpoint);
  const params = (message: Message) => createSendRequest(message, endpoint.tenant);
  const callMethod = async (method: A2AMethodCall, watch: ExchangeWatch): Promise<object> => {
    const { url, init } = transport.buildRequest(method, "application/json");
    return transport.readResult(await fetchJson(caller, url, init, watch));
  };
  return {
    ...known,
    stream: (message, watch) =>
      streamResponses(caller, transport, { name: "SendStreamingMessage", params: params(message) }, watch),
    subscribe: (id, watch) => streamResponses(caller, transport, { name: "SubscribeToTask", id }, watch),
    send: async (message, watch) =>
      parseStreamResponse(await callMethod({ name: "SendMessage", params: params(message) }, watch)),
    task: async (id, watch) => Task.fromJSON(await callMethod({ name: "GetTask", id }, watch)),
    async cancel(id, watch, metadata) {
      await callMethod({ name: "CancelTask", id, metadata }, watch);
    },
    extendedCard: (watch) => callMethod({ name: "GetExtendedAgentCard" }, watch),
  };
}

/** A2A 0.3. The SDK's client translates its messages. */
function createLegacyPeer(caller: HttpFetcher, known: PeerInfo, { url, tenant }: AgentInterface): Peer {
  const options = { serviceParameters: LEGACY_HEADERS };
  const transport = (watch: ExchangeWatch) => createLegacyTransport(caller, url, watch);
  async function* batchEvents(
    watch: ExchangeWatch,
    open: (transport: LegacyJsonRpcTransport) => AsyncIterable<StreamResponse>,
  ): AsyncGenerator<readonly StreamResponse[]> {
    for await (const event of open(await transport(watch))) {
      watch.countEvents(1);
      yield [event];
    }
  }
  return {
    ...known,
    stream: (message, watch) =>
      batchEvents(watch, (legacy) => legacy.sendMessageStream(createSendRequest(message, tenant), options)),
    subscribe: (id, watch) => batchEvents(watch, (legacy) => legacy.resubscribeTask({ tenant, id }, options)),
    async send(message, watch) {
      const value = await (await transport(watch)).sendMessage(createSendRequest(message, tenant), options);
      return { payload: "messageId" in value ? { $case: "message", value } : { $case: "task", value } };
    },
    task: async (id, watch) => (await transport(watch)).getTask({ tenant, id, historyLength: NO_HISTORY }, options),
    async cancel(id, watch, metadata) {
      await (await transport(watch)).cancelTask({ tenant, id, metadata }, options);
    },
    async extendedCard(watch) {
      const { headers, ...init } = createPostInit(
        createRpcBody("agent/getAuthenticatedExtendedCard", {}),
        "application/json",
      );
      return readRpcResult(
        await fetchJson(caller, url, { ...init, headers: { ...headers, ...LEGACY_HEADERS } }, watch),
      );
    },
  };
}

function createSendRequest(message: Message, tenant: string): SendMessageRequest {
  const configuration = {
    acceptedOutputModes: ["text/plain", "application/json"],
    taskPushNotificationConfig: undefined,
    returnImmediately: false,
  };
  return { tenant, message, configuration, metadata: undefined };
}

/** True if the interface is of A2A 0.x. */
export function isLegacyInterface({ protocolVersion }: AgentInterface): boolean {
  return protocolVersion.startsWith("0.");
}

/** Creates the transport of the SDK, which is loaded with the first agent of 0.3: few deployments have one. */
async function createLegacyTransport(
  caller: HttpFetcher,
  url: string,
  watch: ExchangeWatch,
): Promise<LegacyJsonRpcTransport> {
  const { LegacyJsonRpcTransport } = await import("@a2a-js/sdk/compat/v0_3/client");
  const fetchImpl: typeof fetch = async (input, init) => {
    const response = await sendRequest(caller, typeof input === "string" ? input : url, { ...init }, watch);
    return withLowerCaseType(withWatchedBody(await checkResponse(response, watch), watch));
  };
  return new LegacyJsonRpcTransport({ endpoint: url, fetchImpl });
}

/** The SDK's client compares content types case-sensitively. */
function withLowerCaseType(response: Response): Response {
  const { body, status, statusText } = response;
  return new Response(body, { status, statusText, headers: { "content-type": getContentType(response) } });
}

/** Returns the JSON body of a single call. */
async function fetchJson(caller: HttpFetcher, url: string, init: RequestInit, watch: ExchangeWatch): Promise<unknown> {
  const response = await sendRequest(caller, url, init, watch);
  return readJson(await checkResponse(response, watch), watch);
}

/**
 * Yields the responses of a stream. Events that arrive together are decoded together, which halves the cost and lets
 * the caller join text.
 */
async function* streamResponses(
  caller: HttpFetcher,
  transport: A2ATransport,
  method: A2AMethodCall,
  watch: ExchangeWatch,
): AsyncGenerator<readonly StreamResponse[]> {
  const { url, init } = transport.buildRequest(method, "text/event-stream");
  const response = await sendRequest(caller, url, init, watch);
  if (!getContentType(response).startsWith("text/event-stream")) {
    yield [parseStreamResponse(transport.readResult(await readJson(await checkResponse(response, watch), watch)))];
    return;
  }
  assertOk(response);
  const utf8 = new TextDecoder();
  const events = new SseParser();
  for await (const piece of readBody(response, watch)) {
    const { responses, error } = decodeEvents(transport, events.feed(utf8.decode(piece, { stream: true })), watch);
    if (responses.length > 0) yield responses;
    if (error !== undefined) throw error;
  }
  const { responses, error } = decodeEvents(transport, events.end(), watch);
  if (responses.length > 0) yield responses;
  if (error !== undefined) throw error;
}

/** Statuses of proxies, and of agents that accept no requests at the moment. */
const UNAVAILABLE_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Returns a successful response, or an error response with a JSON-RPC error, which is more precise than its status.
 * Throws a `Failure` in all other cases.
 */
async function checkResponse(response: Response, watch: ExchangeWatch): Promise<Response> {
  if (response.ok) return response;
  assertAuthorized(response);
  if (UNAVAILABLE_STATUSES.has(response.status) || !getContentType(response).includes("json")) assertOk(response);
  const body = await readJson(response, watch).catch((thrown: unknown) => {
    if (!(thrown instanceof SyntaxError)) throw thrown;
  });
  if (!hasErrorObject(body)) assertOk(response);
  return Response.json(body, { status: response.status });
}

function getContentType({ headers }: Response): string {
  return headers.get("content-type")?.toLowerCase() ?? "";
}

/**
 * Decodes events that arrived together. Events before an undecodable one are returned with the error, so that they
 * are emitted first.
 */
function decodeEvents(
  transport: A2ATransport,
  events: readonly ServerSentEvent[],
  watch: ExchangeWatch,
): { readonly responses: readonly StreamResponse[]; readonly error?: unknown } {
  watch.countEvents(events.length);
  const responses: StreamResponse[] = [];
  try {
    for (const { data } of events) responses.push(parseStreamResponse(transport.readResult(JSON.parse(data))));
    return { responses };
  } catch (error) {
    return { responses, error };
  }
}

/** Parses a response. Throws a `Failure` if it has no known payload. */
function parseStreamResponse(result: object): StreamResponse {
  const response = StreamResponse.fromJSON(result);
  if (response.payload === undefined) throw createProtocolFailure();
  return response;
}
