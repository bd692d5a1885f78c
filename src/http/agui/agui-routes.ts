// The HTTP routes of AG-UI: a run of the runtime or of one agent, as a stream of server-sent events.

import type { Context, Hono } from "hono";
import { Fault } from "../../protocol/wire/fault.ts";
import { readJsonBody } from "../request-body.ts";
import { renameMessageField } from "../client-history.ts";
import { authenticateCaller, refuseOtherMethods, type HonoEnv } from "../api/http-route.ts";
import { formatDataEvent, respondWithEvents } from "../sse.ts";
import { createOperations } from "../api/operations.ts";
import type { RunEvent } from "./agui-events.ts";
import { startRun } from "./start-run.ts";
import { parseRunInput } from "./run-input.ts";
import { streamRun } from "./run-stream.ts";

/** The limit for request bodies. Clients send the complete conversation with every run. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Registers the routes. Other HTTP methods of these paths are answered with 405. */
export function mountAgUi(app: Hono<HonoEnv>): void {
  for (const path of ["/agui", "/agui/:agent"]) {
    app.post(path, handleRunRequest);
    refuseOtherMethods(app, path, ["POST"]);
  }
}

/** Handles a run request. Errors before the stream are HTTP errors; later errors are events of the stream. */
async function handleRunRequest(context: Context<HonoEnv>): Promise<Response> {
  const request = context.req.raw;
  try {
    const operations = createOperations(await authenticateCaller(context));
    const agent = context.req.param("agent") ?? null;
    if (agent !== null) await operations.getEnabledAgent(agent);
    const input = parseRunInput(await readJsonBody(request, MAX_BODY_BYTES, () => "messages"));
    const started = await startRun(operations, input, agent);
    const disconnect = new AbortController();
    const batches = streamRun(operations, input, started, disconnect.signal);
    return respondWithEvents(formatRunEvents(batches), () => disconnect.abort());
  } catch (thrown) {
    throw thrown instanceof Fault ? renameMessageField(thrown) : thrown;
  }
}

async function* formatRunEvents(batches: AsyncIterable<readonly RunEvent[]>): AsyncGenerator<string, void> {
  for await (const events of batches) yield events.map((event) => formatDataEvent(JSON.stringify(event))).join("");
}
