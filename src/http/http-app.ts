// The HTTP application: registers all routes and interfaces of the Worker, and formats their errors.
//
// The middleware for rate limits and CORS is registered first, so it runs before every handler.

import { Hono, type Context } from "hono";
import { parseAcceptLanguage } from "../language/accept-language.ts";
import { createFault, describeFault } from "../protocol/wire/message-error.ts";
import { conversationEndpoints } from "../protocol/api/conversation-endpoints.ts";
import { toFault, toProblemDetails, type Fault } from "../protocol/wire/fault.ts";
import { HTTP_EXTENSION_HEADER } from "@a2a-js/sdk";
import { cors } from "hono/cors";
import { getSettings } from "../settings.ts";
import { agentCardOperations } from "./a2a/agent-card-openapi.ts";
import { mountA2A } from "./a2a/a2a-routes.ts";
import { mountAgUi } from "./agui/agui-routes.ts";
import { limitRequests } from "./request-limit.ts";
import { acceptClientTokens } from "./mcp/authorization-server.ts";
import { mountMcp } from "./mcp/mcp-routes.ts";
import { mountOAuth } from "./mcp/oauth-routes.ts";
import { mountOpenAi, openAiRoutes } from "./openai/openai-routes.ts";
import { CONVERSATION_HEADER } from "./openai/openai-descriptions.ts";
import { SHOULD_RETRY_HEADER } from "./openai/openai-error.ts";
import { healthRoute } from "./health-route.ts";
import { buildRoutes } from "./api/build-route.ts";
import { registerRoutes, type HonoEnv, type HttpRoute, type RouteDescription } from "./api/http-route.ts";
import { formerDatasetOperations } from "./api/datasets.ts";
import { listOperations } from "./api/operations.ts";
import { sharedPageRoute } from "./api/pages.ts";
import { socketRoute } from "./api/sockets.ts";
import { createOpenApiRoute } from "./openapi-document.ts";

/** Routes that report errors as problem details. */
const operationRoutes = buildRoutes(listOperations());
/** In the description, the socket comes before the ticket that opens it. */
const ticketIndex = operationRoutes.findIndex(({ path }) => path === conversationEndpoints.issueTicket.path);
const ownRoutes = [...operationRoutes.toSpliced(ticketIndex, 0, socketRoute), sharedPageRoute, healthRoute];
/** Routes of interfaces that others have defined, as far as OpenAPI can describe them. */
const compatibilityRoutes = [...openAiRoutes, ...agentCardOperations];
const documentRoute = createOpenApiRoute([...ownRoutes, ...compatibilityRoutes]);
/** All routes that report errors as problem details, including the description itself. */
export const routes: readonly HttpRoute[] = [...ownRoutes, documentRoute];
/** Routes under the paths of earlier releases. They work, but are not described. */
const formerRoutes = buildRoutes(listOperations(formerDatasetOperations));
/** All routes in /openapi.json. */
export const routeDescriptions: readonly RouteDescription[] = [...routes, ...compatibilityRoutes];

/**
 * Allows pages of the origins in ALLOWED_ORIGINS to call the Worker and to read responses. The exposed headers are
 * those that clients use.
 */
const allowOrigins = cors({
  origin: (origin, { env }: Context<HonoEnv>) => (getSettings(env).ALLOWED_ORIGINS.includes(origin) ? origin : null),
  exposeHeaders: [
    CONVERSATION_HEADER,
    SHOULD_RETRY_HEADER,
    "retry-after",
    "www-authenticate",
    HTTP_EXTENSION_HEADER,
    "etag",
  ],
});

export const app = new Hono<HonoEnv>();

// Middleware runs in the order of its registration. Requests are counted for the user that a client's token identifies.
app.use("/mcp", acceptClientTokens);
app.use(limitRequests);
app.use(allowOrigins);

mountA2A(app);
registerRoutes(app, [...routes, ...formerRoutes]);
mountAgUi(app);
mountOpenAi(app);
mountMcp(app);
mountOAuth(app);
app.notFound(
  async (context) =>
    (await serveWebApp(context)) ?? toProblemResponse(createFault("not_found", "http.unknownPath"), context),
);
app.onError((thrown, context) => {
  const fault = toFault(thrown);
  if (fault.code === "internal") console.error("A request failed", fault.cause ?? thrown);
  return toProblemResponse(fault, context);
});

/**
 * Converts a fault to a response with problem details (RFC 9457) in the language of the request. Keeps the headers
 * `Allow` and `Vary` of the context.
 */
function toProblemResponse(fault: Fault, context: Context<HonoEnv>): Response {
  const language = parseAcceptLanguage(context.req.raw.headers.get("accept-language"));
  const body = toProblemDetails(fault, describeFault(fault, language));
  const allow = context.res.headers.get("allow");
  context.header("vary", "Accept-Language", { append: true });
  const headers = new Headers({ "content-type": "application/problem+json" });
  if (fault.code === "unauthorized") headers.set("www-authenticate", "Bearer");
  if (allow !== null) headers.set("allow", allow);
  if (body.retry_after !== undefined) headers.set("retry-after", String(body.retry_after));
  return new Response(JSON.stringify(body), { status: body.status, headers });
}

/** Default security headers. The API never serves documents, so the policy forbids everything. */
const SECURITY_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};
/** Browsers use only https for this host from now on, for a year. Sent over https only. */
const HTTPS_HEADERS = { "strict-transport-security": "max-age=31536000" };

/**
 * Handles a request and adds the security headers that the response does not set itself; a WebSocket response is
 * returned unchanged. Cancels a request body that no handler has read.
 */
export async function handleRequest(
  request: Request,
  env: HonoEnv["Bindings"],
  ctx: ExecutionContext,
): Promise<Response> {
  const response = await app.fetch(request, env, ctx);
  // Cancel a body that no handler has read. Otherwise its sender would continue to send.
  if (!request.bodyUsed) await request.body?.cancel().catch(() => undefined);
  // A response with a WebSocket must be returned as it is: a copy would lose the socket.
  if (response.webSocket !== null) return response;
  const headers = new Headers(response.headers);
  const isSecure = new URL(request.url).protocol === "https:";
  const defaults = { ...SECURITY_HEADERS, ...(isSecure ? HTTPS_HEADERS : {}) };
  for (const [name, value] of Object.entries(defaults)) if (!headers.has(name)) headers.set(name, value);
  return new Response(response.body, { status: response.status, headers });
}

/** Paths of APIs and of files. A missing file must be a 404, not the application. */
const NON_APP_PATH = /^\/(?:api|a2a|agui|mcp|oauth|v1|shared|assets|docs|[^/]*\.[^/]*)(?:\/|$)/;

/**
 * Returns the application if a browser navigates to one of its routes: a GET or HEAD that accepts HTML, and neither a
 * path of an API nor of a file. Returns null for all other requests.
 */
async function serveWebApp({ req, env }: Context<HonoEnv>): Promise<Response | null> {
  const isNavigation = /^(GET|HEAD)$/.test(req.method) && (req.header("accept") ?? "").includes("text/html");
  if (!isNavigation || NON_APP_PATH.test(req.path)) return null;
  return env.ASSETS.fetch(new Request(new URL("/", req.url), { method: req.method }));
}
