// Another Worker that uses the runtime over a service binding. `POST /<method>` with the arguments as a JSON
// array calls that method; a stream is passed on as its answer, anything else as JSON.

import type { OrreryApi } from "../../../src/http/rpc-api.ts";

type Method = keyof OrreryApi;
type Env = { readonly ORRERY: Record<Method, (...args: unknown[]) => Promise<unknown>> };

// oxlint-disable-next-line import/no-default-export -- the entry of a Worker
export default {
  async fetch(request: Request, { ORRERY }: Env): Promise<Response> {
    const method = new URL(request.url).pathname.slice(1) as Method;
    const result = await ORRERY[method](...((await request.json()) as unknown[]));
    const stream = streamIn(result);
    return stream === null ? Response.json(result) : new Response(stream);
  },
};

function streamIn(result: unknown): ReadableStream | null {
  const isValue = typeof result === "object" && result !== null && "value" in result;
  return isValue && result.value instanceof ReadableStream ? result.value : null;
}
