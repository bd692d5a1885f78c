// The example of a guestbook as an agent beside the runtime.

import type { RuntimeOptions } from "./runtime.ts";

export function withGuestbook(vars: Readonly<Record<string, string>> = {}): Pick<RuntimeOptions, "beside" | "agents"> {
  return {
    beside: {
      "orrery-guestbook": {
        config: "examples/guestbook-worker/wrangler.toml",
        entry: "examples/guestbook-worker/guestbook.ts",
        vars,
      },
    },
    agents: { AGENT_GUESTBOOK: "orrery-guestbook" },
  };
}
