// One agent to talk to, in A2A 1.0 or 0.3: both look the same from here.

import {
  A2A_PROTOCOL_VERSION,
  A2A_VERSION_HEADER,
  CancelTaskRequest,
  GetTaskRequest,
  HTTP_EXTENSION_HEADER,
  SendMessageRequest,
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
import { AgentFailure, brief } from "./failure.ts";
import type { Watch } from "./watch.ts";
import { call, checkStatus, readBody, readJson, watched, type Caller } from "./wire.ts";

export type Peer = {
  readonly card: AgentCard;
  /** What the agent streams, in the portions in which it arrived. */
  stream(message: Message, watch: Watch): AsyncIterable<readonly StreamResponse[]>;
  send(message: Message, watch: Watch): Promise<StreamResponse>;
  task(id: string, watch: Watch): Promise<Task>;
  cancel(id: string, watch: Watch): Promise<void>;
};

/** A JSON-RPC method of A2A 1.0 and its parameters as JSON. */
type Request = { readonly method: string; readonly params: unknown };

const HEADERS = { [A2A_VERSION_HEADER]: A2A_PROTOCOL_VERSION, [HTTP_EXTENSION_HEADER]: EVENTS_EXTENSION };
const LEGACY_HEADERS = { [A2A_VERSION_HEADER]: "0.3", [LEGACY_HTTP_EXTENSION_HEADER]: EVENTS_EXTENSION };

export function createPeer(caller: Caller, card: AgentCard, endpoint: AgentInterface): Peer {
  return isLegacy(endpoint) ? legacyPeer(caller, card, endpoint) : currentPeer(caller, card, endpoint);
}

/** A2A 1.0. The SDK's codecs, but not its client, which hands out one event per await. */
function currentPeer(caller: Caller, card: AgentCard, { url, tenant }: AgentInterface): Peer {
  return {
    card,
    stream(message, watch) {
      const params = SendMessageRequest.toJSON(requestWith(message, tenant));
      return streamFrom(caller, url, { method: "SendStreamingMessage", params }, watch);
    },
    async send(message, watch) {
      const params = SendMessageRequest.toJSON(requestWith(message, tenant));
      return responseOf(await ask(caller, url, { method: "SendMessage", params }, watch));
    },
    async task(id, watch) {
      const params = GetTaskRequest.toJSON({ tenant, id });
      return Task.fromJSON(resultOf(await ask(caller, url, { method: "GetTask", params }, watch)));
    },
    async cancel(id, watch) {
      const params = CancelTaskRequest.toJSON({ tenant, id, metadata: undefined });
      resultOf(await ask(caller, url, { method: "CancelTask", params }, watch));
    },
  };
}

/** A2A 0.3, whose shapes the SDK's client translates. */
function legacyPeer(caller: Caller, card: AgentCard, { url, tenant }: AgentInterface): Peer {
  const options = { serviceParameters: LEGACY_HEADERS };
  const transport = (watch: Watch) => legacyTransport(caller, url, watch);
  return {
    card,
    async *stream(message, watch) {
      for await (const event of transport(watch).sendMessageStream(requestWith(message, tenant), options)) {
        watch.told(1);
        yield [event];
      }
    },
    async send(message, watch) {
      const value = await transport(watch).sendMessage(requestWith(message, tenant), options);
      return { payload: "messageId" in value ? { $case: "message", value } : { $case: "task", value } };
    },
    task: (id, watch) => transport(watch).getTask({ tenant, id }, options),
    async cancel(id, watch) {
      await transport(watch).cancelTask({ tenant, id, metadata: undefined }, options);
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
    if (!isJson(response)) checkStatus(response);
    return watched(response, watch);
  };
  return new LegacyJsonRpcTransport({ endpoint: url, fetchImpl });
}

/** The envelope of the answer to a single call. */
async function ask(caller: Caller, url: string, request: Request, watch: Watch): Promise<unknown> {
  const response = await call(caller, url, posted(request, "application/json"), watch);
  if (!isJson(response)) checkStatus(response);
  return readJson(response, watch);
}

/** What arrives together is decoded together, which halves its cost and lets the caller join text. */
async function* streamFrom(
  caller: Caller,
  url: string,
  request: Request,
  watch: Watch,
): AsyncGenerator<readonly StreamResponse[]> {
  const response = await call(caller, url, posted(request, "text/event-stream"), watch);
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    if (!isJson(response)) checkStatus(response);
    yield [responseOf(await readJson(response, watch))];
    return;
  }
  checkStatus(response);
  const utf8 = new TextDecoder();
  const events = new EventSplitter();
  for await (const piece of readBody(response, watch)) {
    const found = events.feed(utf8.decode(piece, { stream: true }));
    if (found.length > 0) yield decoded(found, watch);
  }
  const last = events.end();
  if (last.length > 0) yield decoded(last, watch);
}

function isJson(response: Response): boolean {
  return response.headers.get("content-type")?.includes("json") === true;
}

function posted({ method, params }: Request, accept: string): RequestInit {
  return {
    method: "POST",
    headers: { ...HEADERS, "content-type": "application/json", accept },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  };
}

function decoded(events: readonly ServerEvent[], watch: Watch): readonly StreamResponse[] {
  watch.told(events.length);
  return events.map(({ data }) => responseOf(JSON.parse(data)));
}

/** The payload of a JSON-RPC answer. Throws when it is an error or nothing we know. */
function responseOf(envelope: unknown): StreamResponse {
  const response = StreamResponse.fromJSON(resultOf(envelope));
  if (response.payload === undefined) throw notA2A();
  return response;
}

function resultOf(envelope: unknown): object {
  if (typeof envelope !== "object" || envelope === null) throw notA2A();
  if ("error" in envelope && envelope.error !== undefined && envelope.error !== null) throw refusal(envelope.error);
  if (!("result" in envelope) || typeof envelope.result !== "object" || envelope.result === null) throw notA2A();
  return envelope.result;
}

function notA2A(): AgentFailure {
  return new AgentFailure("agent_protocol", "The agent answered with something that is not A2A.");
}

function refusal(error: unknown): AgentFailure {
  const message = typeof error === "object" && error !== null && "message" in error ? error.message : undefined;
  const words = typeof message === "string" && message !== "" ? brief(message) : "it gave no reason";
  return new AgentFailure("agent_failed", `The agent refused: ${words}`);
}
