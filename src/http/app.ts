// The HTTP application: registers all routes and interfaces of the Worker, and formats their errors.
//
// The middleware for rate limits and CORS is registered first, so it runs before every handler.

import { Hono } from "hono";
import { Fault, toFault, toProblem } from "../protocol/fault.ts";
import { cardsDescribed } from "./a2a/described.ts";
import { mountA2A } from "./a2a/mount.ts";
import { agentRoutes } from "./agents.ts";
import { mountAgUi } from "./agui/mount.ts";
import { analysisRoutes } from "./analysis.ts";
import { application } from "./application.ts";
import { conversationRoutes } from "./conversations.ts";
import { fromPages } from "./cors.ts";
import { datasetRoutes } from "./datasets.ts";
import { healthRoute } from "./health.ts";
import { limitRequests } from "./limits.ts";
import { mountMcp } from "./mcp/mount.ts";
import { messageRoutes } from "./messages.ts";
import { mountOpenAi, openAiRoutes } from "./openai/mount.ts";
import { openApiRoute } from "./openapi.ts";
import { pageRoutes, sharedRoute } from "./pages.ts";
import { planInstanceRoutes } from "./plan-instances.ts";
import { planTemplateRoutes } from "./plan-templates.ts";
import { readingRoutes } from "./reading.ts";
import { register, type App, type Described, type Route } from "./route.ts";
import { scheduleRoutes } from "./schedules.ts";
import { socketRoutes } from "./sockets.ts";
import { toolRoutes } from "./tools.ts";

/** Routes that report errors as problem details. */
const own = [
  ...conversationRoutes,
  ...messageRoutes,
  ...socketRoutes,
  ...readingRoutes,
  ...scheduleRoutes,
  ...agentRoutes,
  ...planTemplateRoutes,
  ...planInstanceRoutes,
  ...toolRoutes,
  ...datasetRoutes,
  ...analysisRoutes,
  ...pageRoutes,
  sharedRoute,
  healthRoute,
];
/** Routes of interfaces that others have defined, as far as OpenAPI can describe them. */
const foreign = [...openAiRoutes, ...cardsDescribed];
const description = openApiRoute([...own, ...foreign]);
/** All routes that report errors as problem details, including the description itself. */
export const routes: readonly Route[] = [...own, description];
/** All routes in /openapi.json. */
export const described: readonly Described[] = [...routes, ...foreign];

export const app = new Hono<App>();

// Middleware runs in the order of its registration.
app.use(limitRequests);
app.use(fromPages);

mountA2A(app);
register(app, routes);
mountAgUi(app);
mountOpenAi(app);
mountMcp(app);
app.notFound(
  async (context) =>
    (await application(context)) ??
    problem(new Fault("not_found", "There is nothing here. /docs lists what there is.")),
);
app.onError((thrown, context) => {
  const fault = toFault(thrown);
  if (fault.code === "internal") console.error("A request failed", fault.cause ?? thrown);
  return problem(fault, context.res.headers.get("allow"));
});

/**
 * Converts a fault to a response with problem details (RFC 9457). `allow` is the value of the `Allow` header, if any.
 */
function problem(fault: Fault, allow: string | null = null): Response {
  const body = toProblem(fault);
  const headers = new Headers({ "content-type": "application/problem+json" });
  if (fault.code === "unauthorized") headers.set("www-authenticate", "Bearer");
  if (allow !== null) headers.set("allow", allow);
  if (body.retry_after !== undefined) headers.set("retry-after", String(body.retry_after));
  return new Response(JSON.stringify(body), { status: body.status, headers });
}

/** Default security headers. The API never serves documents, so the policy forbids everything. */
const SAFE = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Handles a request and adds the security headers that the response does not set itself. */
export async function answer(request: Request, env: App["Bindings"], ctx: ExecutionContext): Promise<Response> {
  const response = await app.fetch(request, env, ctx);
  // Cancel a body that no handler has read. Otherwise its sender would continue to send.
  if (!request.bodyUsed) await request.body?.cancel().catch(() => undefined);
  // A response with a WebSocket must be returned as it is: a copy would lose the socket.
  if (response.webSocket !== null) return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(SAFE)) if (!headers.has(name)) headers.set(name, value);
  return new Response(response.body, { status: response.status, headers });
}
