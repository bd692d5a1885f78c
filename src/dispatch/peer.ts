// One agent to talk to, in A2A 1.0 or 0.3: both look the same from here.

import {
  A2A_PROTOCOL_VERSION,
  A2A_VERSION_HEADER,
  HTTP_EXTENSION_HEADER,
  SendMessageRequest,
  StreamResponse,
  type AgentCard as A2ACard,
  type AgentInterface,
  type Message,
  type SendMessageResult,
  type Task,
} from "@a2a-js/sdk";
import { JsonRpcTransportFactory, type Transport } from "@a2a-js/sdk/client";
import { LEGACY_HTTP_EXTENSION_HEADER } from "@a2a-js/sdk/compat/v0_3";
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
  send(message: Message, watch: Watch): Promise<SendMessageResult>;
  task(id: string, watch: Watch): Promise<Task>;
  cancel(id: string, watch: Watch): Promise<void>;
};

export function createPeer(caller: Caller, card: AgentCard, a2aCard: A2ACard, endpoint: AgentInterface): Peer {
  const legacy = isLegacy(endpoint);
  const headers = {
    [A2A_VERSION_HEADER]: legacy ? "0.3" : A2A_PROTOCOL_VERSION,
    [legacy ? LEGACY_HTTP_EXTENSION_HEADER : HTTP_EXTENSION_HEADER]: EVENTS_EXTENSION,
  };
  const transport = (watch: Watch) => transportTo(caller, a2aCard, endpoint, watch);
  return {
    card,
    stream: (message, watch) =>
      legacy
        ? streamThrough(transport(watch), requestWith(message), headers, watch)
        : streamFrom(caller, endpoint.url, requestWith(message), headers, watch),
    async send(message, watch) {
      return (await transport(watch)).sendMessage(requestWith(message), { serviceParameters: headers });
    },
    async task(id, watch) {
      return (await transport(watch)).getTask({ tenant: endpoint.tenant, id }, { serviceParameters: headers });
    },
    async cancel(id, watch) {
      const parameters = { tenant: endpoint.tenant, id, metadata: undefined };
      await (await transport(watch)).cancelTask(parameters, { serviceParameters: headers });
    },
  };

  function requestWith(message: Message): SendMessageRequest {
    const configuration = {
      acceptedOutputModes: ["text/plain", "application/json"],
      taskPushNotificationConfig: undefined,
      returnImmediately: false,
    };
    return { tenant: endpoint.tenant, message, configuration, metadata: undefined };
  }
}

export function isLegacy({ protocolVersion }: AgentInterface): boolean {
  return protocolVersion.startsWith("0.");
}

/** The SDK's own client: for single calls, and for 0.3, whose shapes it translates. */
function transportTo(caller: Caller, a2aCard: A2ACard, endpoint: AgentInterface, watch: Watch): Promise<Transport> {
  const fetchImpl: typeof fetch = async (input, init) => {
    const response = await call(caller, typeof input === "string" ? input : endpoint.url, { ...init }, watch);
    if (!response.headers.get("content-type")?.includes("json")) checkStatus(response);
    return watched(response, watch);
  };
  const card = { ...a2aCard, supportedInterfaces: [endpoint] };
  return new JsonRpcTransportFactory({ fetchImpl, legacyCompat: { enabled: true } }).create(endpoint.url, card);
}

async function* streamThrough(
  transport: Promise<Transport>,
  request: SendMessageRequest,
  headers: Record<string, string>,
  watch: Watch,
): AsyncGenerator<readonly StreamResponse[]> {
  for await (const event of (await transport).sendMessageStream(request, { serviceParameters: headers })) {
    watch.told(1);
    yield [event];
  }
}

/**
 * A 1.0 stream, read here rather than by the SDK, which hands out one event per await: what arrives
 * together is decoded together, which halves its cost and lets the caller join text.
 */
async function* streamFrom(
  caller: Caller,
  url: string,
  request: SendMessageRequest,
  headers: Record<string, string>,
  watch: Watch,
): AsyncGenerator<readonly StreamResponse[]> {
  const response = await call(caller, url, streamingRequest(request, headers), watch);
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    if (!response.headers.get("content-type")?.includes("json")) checkStatus(response);
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

function streamingRequest(request: SendMessageRequest, headers: Record<string, string>): RequestInit {
  const params = SendMessageRequest.toJSON(request);
  return {
    method: "POST",
    headers: { ...headers, "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params }),
  };
}

function decoded(events: readonly ServerEvent[], watch: Watch): readonly StreamResponse[] {
  watch.told(events.length);
  return events.map(({ data }) => responseOf(JSON.parse(data)));
}

/** The payload of a JSON-RPC answer. Throws when it is an error or nothing we know. */
function responseOf(envelope: unknown): StreamResponse {
  if (typeof envelope === "object" && envelope !== null) {
    if ("error" in envelope && envelope.error !== undefined && envelope.error !== null) throw refusal(envelope.error);
    if ("result" in envelope && typeof envelope.result === "object" && envelope.result !== null) {
      const response = StreamResponse.fromJSON(envelope.result);
      if (response.payload !== undefined) return response;
    }
  }
  throw new AgentFailure("agent_protocol", "The agent answered with something that is not A2A.");
}

function refusal(error: unknown): AgentFailure {
  const message = typeof error === "object" && error !== null && "message" in error ? error.message : undefined;
  const words = typeof message === "string" && message !== "" ? brief(message) : "it gave no reason";
  return new AgentFailure("agent_failed", `The agent refused: ${words}`);
}
