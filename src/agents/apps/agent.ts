// The entrypoint of the apps of all users. The URL of a request contains the user and the name of the app.

import { readApp } from "../../directory/agent-directory.ts";
import type { AppConfig, AppsApi } from "../../protocol/agents/app-config.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import { parseHostedAgentUrl } from "../../protocol/agents/hosted-agent-url.ts";
import { createResultWrapper, type RpcResult } from "../../protocol/wire/rpc-result.ts";
import { getSettings } from "../../settings.ts";
import { RunFailed } from "../kit/run-failure.ts";
import { mcpTools } from "../kit/mcp.ts";
import { serveAgents } from "../kit/serve.ts";
import { createAppAgent } from "./app-agent.ts";

/** Maximum time to connect to an MCP server and list its tools when an app is registered. */
const CHECK_TIMEOUT_MS = 15_000;

const runAsResult = createResultWrapper((thrown) => console.error("An app could not be checked", thrown));

const AppsEntrypoint = serveAgents(async ({ url }, env) => {
  const hosted = parseHostedAgentUrl(url);
  if (hosted === null) return null;
  const app = await readApp(env["DB"] as D1Database, hosted.user_id, hosted.name);
  return app === null ? null : createAppAgent(app);
});

/** Runs apps as agents. */
export class Apps extends AppsEntrypoint implements AppsApi {
  /**
   * Checks that the MCP server of an app can be used and has its tools. Returns null, or the failure as a `Result`:
   * `agent_unreachable` if the server does not answer, else the `Fault` of the toolbox.
   */
  check({ mcp, tools }: AppConfig): Promise<RpcResult<null>> {
    const { env } = this;
    return runAsResult(async () => {
      const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
      try {
        const toolbox = await mcpTools(mcp, { only: tools }).open({ env, signal, settings: () => getSettings(env) });
        toolbox.close();
        return null;
      } catch (thrown) {
        if (signal.aborted)
          throw new Fault(
            "agent_unreachable",
            `Its MCP server did not answer within ${CHECK_TIMEOUT_MS / 1000} seconds.`,
            {
              field: "mcp",
              cause: thrown,
            },
          );
        if (thrown instanceof RunFailed)
          throw new Fault("agent_unreachable", thrown.message, { field: "mcp", cause: thrown });
        throw thrown;
      }
    });
  }
}
