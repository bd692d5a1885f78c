// Runs the guestbook example as an agent Worker next to the runtime.

import type { RuntimeOptions } from "./runtime.ts";

export function withGuestbook(
  vars: Readonly<Record<string, string>> = {},
): Pick<RuntimeOptions, "siblings" | "agents"> {
  return {
    siblings: {
      "orrery-guestbook": {
        config: "examples/guestbook-worker/wrangler.toml",
        entry: "examples/guestbook-worker/guestbook.ts",
        vars,
      },
    },
    agents: { AGENT_GUESTBOOK: "orrery-guestbook" },
  };
}
