// Agents that misbehave, behind service bindings. What a peer on the network does to its connection no Worker can do,
// so this one passes everything on to such peers: `ORIGINS` says, as JSON, which of them stands behind which binding.

type Env = { readonly ORIGINS: string };

// oxlint-disable-next-line import/no-default-export -- the entry of a Worker
export default {
  fetch(request: Request, { ORIGINS }: Env): Promise<Response> {
    const url = new URL(request.url);
    const origin = (JSON.parse(ORIGINS) as Record<string, string>)[url.hostname];
    // Cards are asked for under the name of the binding; they say where the rest is to be found.
    return fetch(origin === undefined ? request : new Request(origin + url.pathname, request), { redirect: "manual" });
  },
};
