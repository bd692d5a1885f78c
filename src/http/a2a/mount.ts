// The HTTP routes of A2A: `/a2a` is the runtime, `/a2a/:agent` is one of its agents. Each path is registered with and
// without a trailing slash.
//
// Order of the checks of a JSON-RPC request: identity, media type, body size and JSON, version, agent, shape of the
// parameters, method. The first failed check determines the response. The id of the request is echoed as soon as it is
// known.

import { AGENT_CARD_PATH } from "@a2a-js/sdk";
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import { A2A_ERROR_CODE, ContentTypeNotSupportedError, JsonRpcRequestMalformedError } from "@a2a-js/sdk/errors";
import { ServerCallContext } from "@a2a-js/sdk/server";
import type { Context, Hono } from "hono";
import { cardResponse, readerOf } from "../../a2a/card.ts";
import { activated, dialectOf } from "../../a2a/dialect.ts";
import { envelope, malformed, rpcError, rpcIn, rpcResult, type Rpc } from "../../a2a/rpc.ts";
import { checkShape } from "../../a2a/shape.ts";
import { oneByOne, streamResponse } from "../../a2a/sse.ts";
import type { Agent } from "../../protocol/agent.ts";
import { Fault, parseAt } from "../../protocol/fault.ts";
import { jsonSchema } from "../../protocol/json.ts";
import { settingsOf, type Settings } from "../../settings.ts";
import { missingAgent } from "../agent-verbs.ts";
import { capOf, isJsonType, readText } from "../body.ts";
import { authMode, identityOf } from "../identity.ts";
import { refuseOthers, type App } from "../route.ts";
import { lateJson } from "../late-json.ts";
import { HEARTBEAT_MS } from "../sse.ts";
import { verbsOf } from "../verbs.ts";
import { cardOf } from "./cards.ts";
import type { Desk } from "./desk.ts";
import { SystemError, toA2AError } from "./errors.ts";
import { legacyHandler, refuseFiles, resultOf, streamOf } from "./methods.ts";

const NOT_JSON = "Send JSON, with the header content-type: application/json.";

/** Registers the cards and the JSON-RPC endpoints. Other HTTP methods of these paths are answered with 405. */
export function mountA2A(app: Hono<App>): void {
  for (const path of [`/${AGENT_CARD_PATH}`, `/a2a/${AGENT_CARD_PATH}`, `/a2a/:agent/${AGENT_CARD_PATH}`]) {
    for (const form of [path, `${path}/`]) {
      app.get(form, giveCard);
      refuseOthers(app, form, ["GET"]);
    }
  }
  for (const path of ["/a2a", "/a2a/", "/a2a/:agent", "/a2a/:agent/"]) {
    app.post(path, answer);
    refuseOthers(app, path, ["POST"], "; the card is at .well-known/agent-card.json");
  }
}

type Call = Context<App>;

/** Responds with a card. The card of an agent is cached per user if the request is authenticated. */
async function giveCard(context: Call): Promise<Response> {
  const request = context.req.raw;
  const settings = settingsOf(context.env);
  const isPersonal = request.headers.has("authorization") && authMode(settings) !== "local";
  const name = context.req.param("agent");
  const agent = name === undefined ? null : await shownAgent(context, settings, name);
  const { origin } = new URL(request.url);
  const cache = isPersonal && agent !== null ? "private, max-age=300" : "public, max-age=300";
  const card = cardOf(agent, `${origin}${pathOf(name)}`, settings, readerOf(request));
  return cardResponse(card, request, cache);
}

/** Returns the endpoint path of an agent, or of the runtime if `name` is undefined. */
function pathOf(name: string | undefined): string {
  return name === undefined ? "/a2a" : `/a2a/${encodeURIComponent(name)}`;
}

/**
 * Returns an enabled agent. Agents of the deployment are public; a user's own agents are visible to this user only
 * (U1).
 */
async function shownAgent({ req, env }: Call, settings: Settings, name: string): Promise<Agent> {
  const isAnonymous = authMode(settings) !== "local" && !req.raw.headers.has("authorization");
  const userId = isAnonymous ? "" : (await identityOf(req.raw, settings)).userId;
  const agent = await verbsOf(env, settings, userId).enabledAgent(name);
  if (isAnonymous && agent.source !== "binding") throw missingAgent();
  return agent;
}

/**
 * Handles one JSON-RPC request. Rejects only if the caller is not authenticated; the error handler of the app then
 * responds with 401.
 */
async function answer(context: Call): Promise<Response> {
  const request = context.req.raw;
  let id: Rpc["id"] = null;
  try {
    const settings = settingsOf(context.env);
    const { userId, expiresAt } = await identityOf(request, settings);
    if (!isJsonType(request)) return refusal(new ContentTypeNotSupportedError(NOT_JSON), null, 415);
    const rpc = rpcIn(await readText(request, capOf(settings)));
    id = rpc.id;
    if ("error" in rpc) throw rpc.error;
    const dialect = dialectOf(request, rpc.method);
    const verbs = verbsOf(context.env, settings, userId);
    const name = context.req.param("agent");
    const agent = name === undefined ? null : await verbs.enabledAgent(name).catch(asMissing);
    checkShape(rpc.method, rpc.params);
    const headers = activated(request);
    const gone = new AbortController();
    const url = `${new URL(request.url).origin}${pathOf(name)}`;
    const isOurs = Object.keys(headers).length > 0;
    const desk = { verbs, settings, agent, dialect, isOurs, gone: gone.signal, expiresAt, url };
    return await (dialect === "1.0" ? carryOut(desk, rpc, headers, gone) : carryOutLegacy(desk, rpc, headers, gone));
  } catch (thrown) {
    return refusal(thrown, id);
  }
}

type Headers = Readonly<Record<string, string>>;

/** Runs a method of 1.0 and responds with JSON or with an event stream. */
async function carryOut(desk: Desk, { id, method, params }: Rpc, headers: Headers, gone: AbortController) {
  const portions = streamOf(desk, method, params);
  if (portions === undefined) {
    const answered = resultOf(desk, method, params).then((result) => rpcResult(id, result));
    return lateJson(answered, { headers, ...telling(id, gone) });
  }
  return streamResponse(portions, { worded: envelope(id), ...telling(id, gone) }, headers);
}

/** Runs a method of 0.3 through the SDK. */
async function carryOutLegacy(desk: Desk, rpc: Rpc, headers: Headers, gone: AbortController): Promise<Response> {
  // Check the nesting first: the SDK is recursive.
  parseAt("params", jsonSchema, rpc.params ?? {});
  if (rpc.method === "message/send" || rpc.method === "message/stream") refuseFiles(rpc.params);
  const wire = new LegacyJsonRpcTransportHandler(legacyHandler(desk));
  const handled = wire.handle({ ...rpc }, new ServerCallContext({ requestedVersion: "0.3" }));
  const isStreamed = rpc.method === "message/stream" || rpc.method === "tasks/resubscribe";
  if (!isStreamed) return lateJson(handled, { headers, ...telling(rpc.id, gone) });
  const answered = await handled;
  if (!(Symbol.asyncIterator in answered)) return Response.json(answered, { headers });
  return streamResponse(oneByOne(answered), { worded: withFinal, ...telling(rpc.id, gone) }, headers);
}

/**
 * Marks a status update that asks a question as the last event of its stream, as 0.3 requires. The SDK marks only ended
 * tasks.
 */
function withFinal<T>(sent: T): T {
  const { result } = sent as { result?: { kind?: string; status?: { state?: string } } };
  if (result?.kind !== "status-update" || result.status?.state !== "input-required") return sent;
  return { ...sent, result: { ...result, final: true } };
}

/** Returns the response options of one request. `leave` is called when the client disconnects. */
function telling(id: Rpc["id"], gone: AbortController) {
  const leave = () => gone.abort(new Error("The reader has gone."));
  const explain = (thrown: unknown) => rpcError(toA2AError(thrown), id);
  return { leave, explain, heartbeatMs: HEARTBEAT_MS };
}

/** An agent that does not exist or that this user may not see. */
class MissingAgentError extends Error {}

/** Rethrows not-found faults as `MissingAgentError`, so that they respond with HTTP 404. */
function asMissing(thrown: unknown): never {
  if (thrown instanceof Fault && thrown.code === "not_found") throw new MissingAgentError(thrown.message);
  throw thrown;
}

/**
 * Returns the error response. A2A errors have HTTP status 200 like results; `usual` replaces it. Missing agents and
 * system errors have their own HTTP status. Rethrows unauthorized faults.
 */
function refusal(thrown: unknown, id: Rpc["id"], usual = 200): Response {
  if (thrown instanceof Fault && thrown.code === "unauthorized") throw thrown;
  if (thrown instanceof MissingAgentError) {
    const { message } = thrown;
    const error = new JsonRpcRequestMalformedError({ message, envelopeCode: A2A_ERROR_CODE.METHOD_NOT_FOUND });
    return Response.json(rpcError(error, id), { status: 404 });
  }
  const isTooLarge = thrown instanceof Fault && thrown.code === "too_large" && id === null;
  const error = isTooLarge ? malformed("The request is too large.") : toA2AError(thrown);
  const status = error instanceof SystemError && error.status !== 500 ? error.status : usual;
  const retryAfter = error instanceof SystemError ? error.retryAfter : undefined;
  const headers: Record<string, string> = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return Response.json(rpcError(error, id), { status, headers });
}
