// An agent as an HTTP server: its card, and A2A 1.0 and 0.3 over JSON-RPC.

import { A2A_VERSION_HEADER, Extensions, HTTP_EXTENSION_HEADER, SSE_HEADERS, StreamResponse } from "@a2a-js/sdk";
import { isLegacyJsonRpcMethod, LEGACY_HTTP_EXTENSION_HEADER } from "@a2a-js/sdk/compat/v0_3";
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import {
  A2A_ERROR_CODE,
  JsonRpcRequestMalformedError,
  toJsonRpcError,
  VersionNotSupportedError,
} from "@a2a-js/sdk/errors";
import { ServerCallContext } from "@a2a-js/sdk/server";
import { EVENTS_EXTENSION } from "../../protocol/a2a.ts";
import { agentCardSchema } from "../../protocol/agent.ts";
import { sha256 } from "../../protocol/digest.ts";
import type { AgentDefinition } from "./agent.ts";
import { endpointOf, toA2ACard } from "./card.ts";
import { createHandler, stream, type Desk, type Portions } from "./handler.ts";
import { messageParams, resultOf } from "./methods.ts";
import { eventStream } from "./sse.ts";

/** Bytes of one request: a query and the results of the tasks before it. */
const MAX_REQUEST_BYTES = 8 * 1024 * 1024;

export type Surroundings = Pick<Desk, "runs" | "context" | "waitUntil">;

type A2ACard = Readonly<Record<string, unknown>>;
type Rpc = Readonly<Record<string, unknown>> & {
  readonly method: string;
  readonly id: string | number | null;
  readonly params?: unknown;
};

/** Answers one HTTP request to an agent. Any path will do, so an agent can stand behind any prefix. */
export async function answer(agent: AgentDefinition, request: Request, around: Surroundings): Promise<Response> {
  if (request.method === "GET" || request.method === "HEAD") return cardResponse(cardOf(agent, request), request);
  if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "GET, HEAD, POST" } });
  let id: Rpc["id"] = null;
  try {
    const rpc = await readRpc(request);
    id = rpc.id;
    checkVersion(request);
    const gone = new AbortController();
    const desk = { ...around, agent, a2aCard: () => cardOf(agent, request), gone: gone.signal };
    const headers = activated(request);
    // Not through the SDK's handler: it passes events on one by one, and each costs several promises.
    if (rpc.method === "SendStreamingMessage")
      return await streamResponse(stream(desk, messageParams(rpc.params)), envelope(id), { id, gone, headers });
    if (!isLegacyJsonRpcMethod(rpc.method)) {
      const result = await resultOf(desk, rpc.method, rpc.params);
      return Response.json({ jsonrpc: "2.0", id, result }, { headers });
    }
    const wire = new LegacyJsonRpcTransportHandler(createHandler(desk));
    const answered = await wire.handle({ ...rpc }, new ServerCallContext({ requestedVersion: "0.3" }));
    if (Symbol.asyncIterator in answered)
      return await streamResponse(oneByOne(answered), (sent) => sent, { id, gone, headers });
    return Response.json(answered, { headers });
  } catch (thrown) {
    return Response.json(rpcError(thrown, id));
  }
}

async function cardResponse(card: A2ACard, request: Request): Promise<Response> {
  if (!new URL(request.url).pathname.endsWith("/.well-known/agent-card.json"))
    return new Response(null, { status: 404 });
  const body = JSON.stringify(card);
  const etag = `"${(await sha256(body)).slice(0, 24)}"`;
  const headers = { etag, "cache-control": "public, max-age=300", "content-type": "application/json" };
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  return new Response(request.method === "HEAD" ? null : body, { headers });
}

function cardOf(agent: AgentDefinition, request: Request): A2ACard {
  return toA2ACard(agentCardSchema.parse(agent.card), endpointOf(request.url));
}

function envelope(id: Rpc["id"]): (response: StreamResponse) => unknown {
  return (response) => ({ jsonrpc: "2.0", id, result: StreamResponse.toJSON(response) });
}

async function* oneByOne<T>(events: AsyncIterable<T>): Portions<T> {
  for await (const event of events) yield [event];
  return [];
}

/** An error before the first event is answered as plain JSON, as A2A wants it. */
async function streamResponse<T>(
  portions: Portions<T>,
  worded: (event: T) => unknown,
  { id, gone, headers }: { id: Rpc["id"]; gone: AbortController; headers: Readonly<Record<string, string>> },
): Promise<Response> {
  const first = await portions.next();
  const leave = () => gone.abort(new Error("The reader has gone."));
  const body = eventStream(portions, first, worded, { leave, explain: (thrown) => rpcError(thrown, id) });
  return new Response(body, { headers: { ...SSE_HEADERS, ...headers } });
}

async function readRpc(request: Request): Promise<Rpc> {
  const length = Number(request.headers.get("content-length") ?? "0");
  const text = length > MAX_REQUEST_BYTES ? undefined : await request.text();
  if (text === undefined || text.length > MAX_REQUEST_BYTES) throw malformed("The request is too large.");
  const body = parseJson(text);
  const isRequest =
    typeof body === "object" && body !== null && "jsonrpc" in body && body.jsonrpc === "2.0" && "method" in body;
  const id = isRequest && "id" in body ? body.id : null;
  if (!isRequest || typeof body.method !== "string" || !isId(id))
    throw malformed("The body must be one JSON-RPC 2.0 request.");
  return { ...body, method: body.method, id };
}

function isId(id: unknown): id is Rpc["id"] {
  return id === null || typeof id === "string" || Number.isInteger(id);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new JsonRpcRequestMalformedError({
      message: "The body is not JSON.",
      envelopeCode: A2A_ERROR_CODE.PARSE_ERROR,
      cause,
    });
  }
}

function malformed(message: string): Error {
  return new JsonRpcRequestMalformedError({ message, envelopeCode: A2A_ERROR_CODE.INVALID_REQUEST });
}

/** Tells a client that asked for our extension that it gets it. */
function activated(request: Request): Readonly<Record<string, string>> {
  const asked = [HTTP_EXTENSION_HEADER, LEGACY_HTTP_EXTENSION_HEADER].filter((name) =>
    Extensions.parseServiceParameter(request.headers.get(name) ?? undefined).includes(EVENTS_EXTENSION),
  );
  return Object.fromEntries(asked.map((name) => [name, EVENTS_EXTENSION]));
}

/** Without the header a client speaks 0.3 by the letter of A2A; here the method's name decides. */
function checkVersion(request: Request): void {
  const version = request.headers.get(A2A_VERSION_HEADER) ?? "1.0";
  if (!/^(1|1\.0|0\.3)(\.\d+)?$/.test(version)) {
    throw new VersionNotSupportedError(`This agent speaks A2A 1.0 and 0.3, not ${version.slice(0, 20)}.`);
  }
}

function rpcError(thrown: unknown, id: Rpc["id"]): unknown {
  return { jsonrpc: "2.0", id, error: toJsonRpcError(thrown) };
}
