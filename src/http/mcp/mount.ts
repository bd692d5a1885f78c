// MCP over HTTP without sessions: one POST, one answer. There is nothing to keep between two requests.

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

/** As many as version 2025-03-26 may send together. */
const MOST_IN_BATCH = 16;

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

/** What may take long is streamed, so that nothing in between takes the quiet for an end. */
async function single(asked: Request, verbs: Verbs, request: globalThis.Request): Promise<Response> {
  try {
    checkHeaders(asked, request.headers);
    if (wantsStream(request) && asked.method === "tools/call" && isLong(asked.params["name"])) {
      return streamOf((tell, signal) => answerTo(asked, callerOf(asked, verbs, tell, signal)), asked);
    }
    const left = new AbortController();
    const caller = callerOf(asked, verbs, () => undefined, left.signal);
    const answered = resultOf(asked, caller).then((result) => ({ jsonrpc: "2.0", id: asked.id, result }));
    // Awaited here, so that what fails soon is refused here.
    return await lateJson(answered, { leave: () => left.abort(), explain: (thrown) => errorOf(asked.id, thrown) });
  } catch (thrown) {
    return refusal(thrown, asked.id);
  }
}

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

type Answered = Exclude<Message, { kind: "other" }>;

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

async function answerTo(asked: Request, caller: Caller): Promise<object> {
  try {
    return { jsonrpc: "2.0", id: asked.id, result: await resultOf(asked, caller) };
  } catch (thrown) {
    return errorOf(asked.id, thrown);
  }
}

function errorOf(id: Id | null, thrown: unknown): object {
  const { code, message, data } = rpcErrorOf(thrown);
  return errorBody(id, code, message, data);
}

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

/** An error of JSON-RPC with the status that HTTP has for it. */
function refusal(thrown: unknown, id: Id | null = null): Response {
  const { code, message, data, status } = rpcErrorOf(thrown);
  const headers = new Headers({ "content-type": "application/json" });
  if (status === 401) headers.set("www-authenticate", "Bearer");
  const after = toFault(thrown).detail.retry_after;
  if (after !== undefined) headers.set("retry-after", String(after));
  return new Response(JSON.stringify(errorBody(id, code, message, data)), { status, headers });
}

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
