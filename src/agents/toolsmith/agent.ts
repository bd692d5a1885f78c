// The entrypoint of the toolsmith. Its tools belong to the user who asks.

import { createLoaderSandbox } from "../../sandbox/worker-loader.ts";
import { serveAgent } from "../kit/serve.ts";
import { withModel } from "../kit/with-model.ts";
import { createUserToolRegistry } from "./user-tool-registry.ts";
import { createToolsmith } from "./toolsmith.ts";

export const Toolsmith = serveAgent(
  withModel(
    createToolsmith(({ metadata }, { env, settings }) => ({
      sandbox: createLoaderSandbox(env["LOADER"] as WorkerLoader | undefined),
      registry: createUserToolRegistry(env["DB"] as D1Database | undefined, metadata.user_id, settings.MAX_TOOLS),
    })),
  ),
);
