// The HTTP server of an agent: its card, and A2A 1.0 and 0.3 over JSON-RPC. It keeps no state of its own; tasks live
// in `AgentTaskRuns`. Every error of a call becomes a JSON-RPC error with the id of the request.

import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import { ServerCallContext } from "@a2a-js/sdk/server";
import { cardResponse, endpointOf, readerOf, toA2ACard, type A2ACard } from "../../a2a/card.ts";
import { activated, dialectOf } from "../../a2a/dialect.ts";
import { envelope, malformed, rpcError, rpcIn, rpcResult, type ReadRpc, type Rpc } from "../../a2a/rpc.ts";
import { checkShape } from "../../a2a/shape.ts";
import { oneByOne, streamResponse, type Telling } from "../../a2a/sse.ts";
import { agentCardSchema } from "../../protocol/agent.ts";
import type { AgentDefinition } from "./agent.ts";
import { createHandler, stream, type Desk } from "./handler.ts";
import { messageParams, resultOf } from "./methods.ts";

/** Maximum bytes of one request: a query and the results of the tasks before it. */
const MAX_REQUEST_BYTES = 8 * 1024 * 1024;

/** The dependencies that the entrypoint passes for each request. */
export type Surroundings = Pick<Desk, "runs" | "context" | "waitUntil">;

/**
 * Handles one HTTP request to an agent: GET and HEAD return the card, POST is a JSON-RPC call. Returns 405 for other
 * methods. The path is ignored, except that the card is served only below `/.well-known/agent-card.json`, so an agent
 * can be mounted under any prefix.
 */
export async function answer(agent: AgentDefinition, request: Request, around: Surroundings): Promise<Response> {
  if (request.method === "GET" || request.method === "HEAD") return cardAnswer(cardOf(agent, request), request);
  if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "GET, HEAD, POST" } });
  let id: Rpc["id"] = null;
  try {
    const rpc = await readRpc(request);
    id = rpc.id;
    if ("error" in rpc) throw rpc.error;
    checkShape(rpc.method, rpc.params);
    const dialect = dialectOf(request, rpc.method);
    const gone = new AbortController();
    const desk = { ...around, agent, a2aCard: () => cardOf(agent, request), gone: gone.signal };
    const headers = activated(request);
    const leave = () => gone.abort(new Error("The reader has gone."));
    const telling = { leave, explain: (thrown: unknown) => rpcError(thrown, id) };
    // We do not use the SDK's handler here: it passes events on one by one, and each costs several promises.
    if (rpc.method === "SendStreamingMessage")
      return await streamResponse(
        stream(desk, messageParams(rpc.params)),
        { ...telling, worded: envelope(id) },
        headers,
      );
    if (dialect === "0.3") return await answerLegacy(desk, rpc, telling, headers);
    return Response.json(rpcResult(id, await resultOf(desk, rpc.method, rpc.params)), { headers });
  } catch (thrown) {
    return Response.json(rpcError(thrown, id));
  }
}

/** Handles an A2A 0.3 call. The SDK translates it to the 1.0 methods of the task handler. */
async function answerLegacy(
  desk: Desk,
  rpc: Rpc,
  telling: Omit<Telling<unknown>, "worded">,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const wire = new LegacyJsonRpcTransportHandler(createHandler(desk));
  const answered = await wire.handle({ ...rpc }, new ServerCallContext({ requestedVersion: "0.3" }));
  if (Symbol.asyncIterator in answered)
    return streamResponse(oneByOne(answered), { ...telling, worded: (sent) => sent }, headers);
  return Response.json(answered, { headers });
}

async function cardAnswer(card: A2ACard, request: Request): Promise<Response> {
  if (!new URL(request.url).pathname.endsWith("/.well-known/agent-card.json"))
    return new Response(null, { status: 404 });
  return cardResponse(card, request, "public, max-age=300");
}

function cardOf(agent: AgentDefinition, request: Request): A2ACard {
  return toA2ACard(agentCardSchema.parse(agent.card), endpointOf(request.url), {}, readerOf(request));
}

/**
 * Reads the body and parses the JSON-RPC request. Without a usable `content-length` it counts the bytes while
 * reading. Throws if the body exceeds `MAX_REQUEST_BYTES`.
 */
async function readRpc(request: Request): Promise<ReadRpc> {
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) <= MAX_REQUEST_BYTES) return rpcIn(await request.text());
  const utf8 = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const piece of (request.body ?? []) as Iterable<Uint8Array> | ReadableStream<Uint8Array>) {
    bytes += piece.byteLength;
    // Leaving the loop cancels the rest of the body.
    if (bytes > MAX_REQUEST_BYTES) throw malformed("The request is too large.");
    text += utf8.decode(piece, { stream: true });
  }
  return rpcIn(text + utf8.decode());
}
