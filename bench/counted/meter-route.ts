import { takeCounts } from "./storage-meter.ts";

type Handler<Env> = { fetch(request: Request, env: Env, ctx: ExecutionContext): Response | Promise<Response> };

/** Adds `GET /written/:conversation` to a Worker: the writes of the object since the last request. */
export function withMeterRoute<Env>(
  worker: Handler<Env>,
  getObjectName: (conversation: string) => string,
): Handler<Env> {
  return {
    ...worker,
    fetch(request, env, ctx) {
      const [, route, conversation = ""] = new URL(request.url).pathname.split("/");
      if (route === "written") return Response.json(takeCounts(getObjectName(conversation)));
      return worker.fetch(request, env, ctx);
    },
  };
}
