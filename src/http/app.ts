// All doors of the Worker that speak HTTP.

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
/** What others have defined, so far as it is plain HTTP. */
const foreign = [...openAiRoutes, ...cardsDescribed];
const description = openApiRoute([...own, ...foreign]);
/** What refuses by problem details. */
export const routes: readonly Route[] = [...own, description];
/** All that /openapi.json tells of. */
export const described: readonly Described[] = [...routes, ...foreign];

export const app = new Hono<App>();

// Before every door.
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

/** Answers with problem details (RFC 9457). */
function problem(fault: Fault, allow: string | null = null): Response {
  const body = toProblem(fault);
  const headers = new Headers({ "content-type": "application/problem+json" });
  if (fault.code === "unauthorized") headers.set("www-authenticate", "Bearer");
  if (allow !== null) headers.set("allow", allow);
  if (body.retry_after !== undefined) headers.set("retry-after", String(body.retry_after));
  return new Response(JSON.stringify(body), { status: body.status, headers });
}

/** Nothing that is answered here is a page. */
const SAFE = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Answers a request, with the headers that keep browsers careful. */
export async function answer(request: Request, env: App["Bindings"], ctx: ExecutionContext): Promise<Response> {
  const response = await app.fetch(request, env, ctx);
  // What was answered without reading it: its sender is not left writing.
  if (!request.bodyUsed) await request.body?.cancel().catch(() => undefined);
  if (response.webSocket !== null) return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(SAFE)) if (!headers.has(name)) headers.set(name, value);
  return new Response(response.body, { status: response.status, headers });
}
