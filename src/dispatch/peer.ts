// One agent to talk to, in A2A 1.0 or 0.3: both look the same from here.

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

export type Peer = {
  readonly card: AgentCard;
  /** It tells its events by our extension, and where to go on by checkpoints. */
  readonly isKin: boolean;
  /** What the agent streams, in the portions in which it arrived. */
  stream(message: Message, watch: Watch): AsyncIterable<readonly StreamResponse[]>;
  /** What it streams of a task that was begun before, from how the task stands. */
  subscribe(id: string, watch: Watch): AsyncIterable<readonly StreamResponse[]>;
  send(message: Message, watch: Watch): Promise<StreamResponse>;
  task(id: string, watch: Watch): Promise<Task>;
  cancel(id: string, watch: Watch, metadata?: Metadata): Promise<void>;
  /** Its card for those whom it knows, as it comes. */
  extendedCard(watch: Watch): Promise<unknown>;
};

export type Known = { readonly card: AgentCard; readonly isKin: boolean };

const LEGACY_HEADERS = { [A2A_VERSION_HEADER]: "0.3", [LEGACY_HTTP_EXTENSION_HEADER]: EVENTS_EXTENSION };

export function createPeer(caller: Caller, known: Known, endpoint: AgentInterface): Peer {
  return isLegacy(endpoint) ? legacyPeer(caller, known, endpoint) : currentPeer(caller, known, endpoint);
}

/** A2A 1.0. The SDK's codecs, but not its client, which hands out one event per await. */
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

/** A2A 0.3, whose shapes the SDK's client translates. */
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

/** The SDK's client knows a type by its letters. */
function inLowerCase(response: Response): Response {
  const { body, status, statusText } = response;
  return new Response(body, { status, statusText, headers: { "content-type": typeOf(response) } });
}

/** The whole answer to a single call. */
async function answerTo(caller: Caller, url: string, init: RequestInit, watch: Watch): Promise<unknown> {
  const response = await call(caller, url, init, watch);
  return readJson(await checked(response, watch), watch);
}

/** What arrives together is decoded together, which halves its cost and lets the caller join text. */
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

/** What whoever stands before an agent answers in its place, or an agent that takes nothing at the moment. */
const AWAY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** The answer. An error of A2A says more than its status, but for one that asks for credentials or for patience. */
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

/** What events hold that arrived together. What stands before one that cannot be read is heard before that is told. */
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

/** The payload of an answer. Throws when it is nothing we know. */
function responseIn(result: object): StreamResponse {
  const response = StreamResponse.fromJSON(result);
  if (response.payload === undefined) throw notA2A();
  return response;
}
