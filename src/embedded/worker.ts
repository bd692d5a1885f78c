// The embedded model as a Worker of its own. `npm start` runs it beside the runtime when no model is configured; the
// runtime and its agents call it over the service binding `EMBEDDED_MODEL`. A deployment does not contain it.

import { fetchEmbedded } from "./embedded-fetch.ts";

export default { fetch: (request) => fetchEmbedded(request) } satisfies ExportedHandler;
