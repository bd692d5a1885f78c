// A Worker that calls the runtime over a service binding. `POST /<method>` with a JSON array of arguments calls the
// method. The response is its stream, or its result as JSON.

import type { OrreryApi } from "../../../src/http/api/rpc.ts";

type Method = keyof OrreryApi;
type Env = { readonly ORRERY: Record<Method, (...args: unknown[]) => Promise<unknown>> };

// oxlint-disable-next-line import/no-default-export -- the entry of a Worker
export default {
  async fetch(request: Request, { ORRERY }: Env): Promise<Response> {
    const method = new URL(request.url).pathname.slice(1) as Method;
    const result = await ORRERY[method](...((await request.json()) as unknown[]));
    const stream = findStream(result);
    return stream === null ? Response.json(result) : new Response(stream);
  },
};

function findStream(result: unknown): ReadableStream | null {
  const isValue = typeof result === "object" && result !== null && "value" in result;
  return isValue && result.value instanceof ReadableStream ? result.value : null;
}
