// The MCP interface over HTTP (Streamable HTTP transport): one POST per message or batch, and its response.
//
// There are no sessions, and nothing is stored between two requests. Per request, the order is: check the origin,
// authenticate, parse the body, check the headers, run the method. If the client disconnects, the signal of the call
// aborts; the work of a thread continues.

import { Hono, type Context } from "hono";
import { FAULT_STATUS, toFault } from "../../protocol/fault.ts";
import { settingsOf } from "../../settings.ts";
import { capOf, readJson } from "../body.ts";
import { identityOf } from "../identity.ts";
import { lateJson } from "../late-json.ts";
import { checkOrigin } from "../origins.ts";
import type { App } from "../route.ts";
import { wantsStream } from "../sse.ts";
import { verbsOf, type Verbs } from "../verbs.ts";
import { checkHeaders, checkVersion } from "./headers.ts";
import { CODES, errorBody, readMessage, RpcError, type Id, type Message, type Request } from "./message.ts";
import { canElicit, resultOf } from "./methods.ts";
import { streamOf } from "./stream.ts";
import { isLong, type Caller } from "./tools.ts";

/** Maximum messages of a batch. Only version 2025-03-26 and earlier have batches. */
const MOST_IN_BATCH = 16;

/** Registers the interface at /mcp. */
export function mountMcp(app: Hono<App>): void {
  const mcp = new Hono<App>();
  mcp.post("/", answer);
  mcp.all("/", () => {
    const body = errorBody(
      null,
      CODES.refused,
      "Use POST here: there are no sessions, and no streams besides answers.",
    );
    return Response.json(body, { status: 405, headers: { allow: "POST" } });
  });
  mcp.onError((thrown) => refusal(thrown));
  app.route("/mcp", mcp);
}

/** Handles a POST. Notifications and responses are acknowledged with 202. */
async function answer({ req, env }: Context<App>): Promise<Response> {
  const request = req.raw;
  const settings = settingsOf(env);
  checkOrigin(request, settings);
  const { userId } = await identityOf(request, settings);
  const verbs = verbsOf(env, settings, userId);
  const body = await readJson(request, capOf(settings)).catch((thrown: unknown) => {
    const fault = toFault(thrown);
    if (fault.code !== "invalid_request") throw fault;
    throw new RpcError(CODES.parse, fault.message, { status: 400 });
  });
  if (Array.isArray(body)) return batch(body, verbs, request.headers);
  const message = readMessage(body);
  switch (message.kind) {
    case "other":
      checkVersion(request.headers);
      return new Response(null, { status: 202 });
    case "malformed":
      return Response.json(errorBody(message.id, message.code, message.words), { status: 400 });
    case "request":
      return single(message.request, verbs, request);
  }
}

/**
 * Runs one request. A long call is streamed if the client accepts it; otherwise white space keeps the connection open.
 */
async function single(asked: Request, verbs: Verbs, request: globalThis.Request): Promise<Response> {
  try {
    checkHeaders(asked, request.headers);
    if (wantsStream(request) && asked.method === "tools/call" && isLong(asked.params["name"])) {
      return streamOf((tell, signal) => answerTo(asked, callerOf(asked, verbs, tell, signal)), asked);
    }
    const left = new AbortController();
    const caller = callerOf(asked, verbs, () => undefined, left.signal);
    const answered = resultOf(asked, caller).then((result) => ({ jsonrpc: "2.0", id: asked.id, result }));
    // Awaited inside `try`, so that a failure within the first interval becomes an error response with its status.
    return await lateJson(answered, { leave: () => left.abort(), explain: (thrown) => errorOf(asked.id, thrown) });
  } catch (thrown) {
    return refusal(thrown, asked.id);
  }
}

/** Runs the messages of a batch concurrently. The response contains their results in the order of the requests. */
async function batch(values: readonly unknown[], verbs: Verbs, headers: Headers): Promise<Response> {
  checkVersion(headers);
  if (values.length === 0 || values.length > MOST_IN_BATCH) {
    throw new RpcError(CODES.request, `A batch has 1 to ${MOST_IN_BATCH} messages.`, { status: 400 });
  }
  const messages = values.map(readMessage).filter((message) => message.kind !== "other");
  if (messages.length === 0) return new Response(null, { status: 202 });
  const left = new AbortController();
  const answers = Promise.all(messages.map((message) => answerInBatch(message, verbs, left.signal)));
  return lateJson(answers, { leave: () => left.abort(), explain: (thrown) => errorOf(null, thrown) });
}

/** A message that requires a response. */
type Answered = Exclude<Message, { kind: "other" }>;

/** Runs one message of a batch. Never rejects. */
async function answerInBatch(message: Answered, verbs: Verbs, signal: AbortSignal): Promise<object> {
  switch (message.kind) {
    case "malformed":
      return errorBody(message.id, message.code, message.words);
    case "request": {
      const { request } = message;
      if (request.version !== undefined) return errorBody(request.id, CODES.request, "This version has no batches.");
      return answerTo(
        request,
        callerOf(request, verbs, () => undefined, signal),
      );
    }
  }
}

/** Runs a request and returns its response or error response. Never rejects. */
async function answerTo(asked: Request, caller: Caller): Promise<object> {
  try {
    return { jsonrpc: "2.0", id: asked.id, result: await resultOf(asked, caller) };
  } catch (thrown) {
    return errorOf(asked.id, thrown);
  }
}

/** Converts a thrown value to an error response. */
function errorOf(id: Id | null, thrown: unknown): object {
  const { code, message, data } = rpcErrorOf(thrown);
  return errorBody(id, code, message, data);
}

/** Creates the context of the tool call in a request. */
function callerOf(asked: Request, verbs: Verbs, tell: Caller["tell"], signal: AbortSignal): Caller {
  const { requestState: state, inputResponses: responses } = asked.params;
  const hasAnswers = asked.version !== undefined && state !== undefined;
  return {
    verbs,
    signal,
    tell,
    canElicit: canElicit(asked),
    answers: hasAnswers ? { state, responses } : null,
  };
}

/** Converts a thrown value to an HTTP response with an error of JSON-RPC. */
function refusal(thrown: unknown, id: Id | null = null): Response {
  const { code, message, data, status } = rpcErrorOf(thrown);
  const headers = new Headers({ "content-type": "application/json" });
  if (status === 401) headers.set("www-authenticate", "Bearer");
  const after = toFault(thrown).detail.retry_after;
  if (after !== undefined) headers.set("retry-after", String(after));
  return new Response(JSON.stringify(errorBody(id, code, message, data)), { status, headers });
}

/** Converts a thrown value to an error of JSON-RPC. The code of a fault is in `data.code`. */
function rpcErrorOf(thrown: unknown): RpcError {
  if (thrown instanceof RpcError) return thrown;
  const fault = toFault(thrown);
  const isInternal = fault.code === "internal";
  if (isInternal) console.error("A request failed", fault.cause ?? thrown);
  const data = { code: fault.code };
  return new RpcError(isInternal ? CODES.internal : CODES.refused, fault.message, {
    status: FAULT_STATUS[fault.code],
    data,
  });
}
