// Faulty agents behind service bindings. A Worker cannot produce faults of a network connection, so this one forwards
// all requests to faulty servers. `ORIGINS` is a JSON object that maps the host name of each binding to an origin.

type Env = { readonly ORIGINS: string };

// oxlint-disable-next-line import/no-default-export -- the entry of a Worker
export default {
  fetch(request: Request, { ORIGINS }: Env): Promise<Response> {
    const url = new URL(request.url);
    const origin = (JSON.parse(ORIGINS) as Record<string, string>)[url.hostname];
    // Only requests for agent cards use the host name of the binding. The cards contain the URL of the server.
    return fetch(origin === undefined ? request : new Request(origin + url.pathname, request), { redirect: "manual" });
  },
};
