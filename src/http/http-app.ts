// The HTTP application: registers all routes and interfaces of the Worker, and formats their errors.
//
// The middleware for rate limits and CORS is registered first, so it runs before every handler.

import { Hono, type Context } from "hono";
import { parseAcceptLanguage } from "../language/accept-language.ts";
import { createFault, describeFault } from "../protocol/wire/message-error.ts";
import { toFault, toProblemDetails, type Fault } from "../protocol/wire/fault.ts";
import { agentCardOperations } from "./a2a/agent-card-openapi.ts";
import { mountA2A } from "./a2a/a2a-routes.ts";
import { agentRoutes } from "./routes/agent-routes.ts";
import { mountAgUi } from "./agui/agui-routes.ts";
import { analysisRoutes } from "./routes/analysis-routes.ts";
import { serveWebApp } from "./web-app.ts";
import { conversationRoutes } from "./routes/conversation-routes.ts";
import { corsMiddleware } from "./cors-middleware.ts";
import { datasetRoutes } from "./routes/dataset-routes.ts";
import { healthRoute } from "./routes/health-route.ts";
import { limitRequests } from "./request-limit.ts";
import { mountMcp } from "./mcp/mcp-routes.ts";
import { messageRoutes } from "./routes/message-routes.ts";
import { mountOpenAi, openAiRoutes } from "./openai/openai-routes.ts";
import { createOpenApiRoute } from "./openapi-document.ts";
import { pageRoutes, sharedPageRoute } from "./routes/page-routes.ts";
import { planInstanceRoutes } from "./routes/plan-instance-routes.ts";
import { planTemplateRoutes } from "./routes/plan-template-routes.ts";
import { conversationContentRoutes } from "./routes/conversation-content-routes.ts";
import { registerRoutes, type HonoEnv, type RouteDescription, type HttpRoute } from "./define-route.ts";
import { scheduleRoutes } from "./routes/schedule-routes.ts";
import { socketRoutes } from "./routes/socket-routes.ts";
import { toolRoutes } from "./routes/tool-routes.ts";

/** Routes that report errors as problem details. */
const ownRoutes = [
  ...conversationRoutes,
  ...messageRoutes,
  ...socketRoutes,
  ...conversationContentRoutes,
  ...scheduleRoutes,
  ...agentRoutes,
  ...planTemplateRoutes,
  ...planInstanceRoutes,
  ...toolRoutes,
  ...datasetRoutes,
  ...analysisRoutes,
  ...pageRoutes,
  sharedPageRoute,
  healthRoute,
];
/** Routes of interfaces that others have defined, as far as OpenAPI can describe them. */
const compatibilityRoutes = [...openAiRoutes, ...agentCardOperations];
const documentRoute = createOpenApiRoute([...ownRoutes, ...compatibilityRoutes]);
/** All routes that report errors as problem details, including the description itself. */
export const routes: readonly HttpRoute[] = [...ownRoutes, documentRoute];
/** All routes in /openapi.json. */
export const routeDescriptions: readonly RouteDescription[] = [...routes, ...compatibilityRoutes];

export const app = new Hono<HonoEnv>();

// Middleware runs in the order of its registration.
app.use(limitRequests);
app.use(corsMiddleware);

mountA2A(app);
registerRoutes(app, routes);
mountAgUi(app);
mountOpenAi(app);
mountMcp(app);
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
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

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
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) if (!headers.has(name)) headers.set(name, value);
  return new Response(response.body, { status: response.status, headers });
}
