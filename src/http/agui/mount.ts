// The HTTP routes of AG-UI: a run of the runtime or of one agent, as a stream of server-sent events.

import type { Context, Hono } from "hono";
import { Fault } from "../../protocol/fault.ts";
import { settingsOf } from "../../settings.ts";
import { readJson } from "../body.ts";
import { inMessages } from "../earlier.ts";
import { identityOf } from "../identity.ts";
import { refuseOthers, type App } from "../route.ts";
import { sseResponse } from "../sse.ts";
import { verbsOf } from "../verbs.ts";
import { begin } from "./begin.ts";
import { inputOf } from "./input.ts";
import { linesOf } from "./stream.ts";

/** The limit for request bodies. Clients send the complete conversation with every run. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Registers the routes. Other HTTP methods of these paths are answered with 405. */
export function mountAgUi(app: Hono<App>): void {
  for (const path of ["/agui", "/agui/:agent"]) {
    app.post(path, run);
    refuseOthers(app, path, ["POST"]);
  }
}

/** Handles a run request. Errors before the stream are HTTP errors; later errors are events of the stream. */
async function run(context: Context<App>): Promise<Response> {
  const request = context.req.raw;
  try {
    const settings = settingsOf(context.env);
    const { userId } = await identityOf(request, settings);
    const verbs = verbsOf(context.env, settings, userId);
    const agent = context.req.param("agent") ?? null;
    if (agent !== null) await verbs.enabledAgent(agent);
    const input = inputOf(await readJson(request, MOST_BYTES, () => "messages"));
    return sseResponse(linesOf(verbs, input, await begin(verbs, input, agent)));
  } catch (thrown) {
    throw thrown instanceof Fault ? inMessages(thrown) : thrown;
  }
}
