// The entrypoint of the toolsmith. Its tools belong to the user who asks.

import { loaderSandbox } from "../../sandbox/loader.ts";
import { serveAgent } from "../kit/serve.ts";
import { registryOf } from "./registry.ts";
import { toolsmith } from "./toolsmith.ts";

export const Toolsmith = serveAgent(
  toolsmith(({ metadata }, { env, settings }) => ({
    sandbox: loaderSandbox(env["LOADER"] as WorkerLoader | undefined),
    registry: registryOf(env["DB"] as D1Database | undefined, metadata.user_id, settings.MAX_TOOLS),
  })),
);
