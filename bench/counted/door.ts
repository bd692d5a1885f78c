import { written } from "./rows.ts";

type Handler<Env> = { fetch(request: Request, env: Env, ctx: ExecutionContext): Response | Promise<Response> };

/** A Worker that also answers `GET /written/:conversation`: what its object wrote since it was last asked. */
export function withMeter<Env>(worker: Handler<Env>, nameOf: (conversation: string) => string): Handler<Env> {
  return {
    ...worker,
    fetch(request, env, ctx) {
      const [, door, conversation = ""] = new URL(request.url).pathname.split("/");
      if (door === "written") return Response.json(written(nameOf(conversation)));
      return worker.fetch(request, env, ctx);
    },
  };
}
