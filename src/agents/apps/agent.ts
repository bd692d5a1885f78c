// The entrypoint of the apps of all users. The URL of a request contains the user and the name of the app.

import { readApp } from "../../directory/agents.ts";
import type { App, AppsApi } from "../../protocol/app.ts";
import { Fault } from "../../protocol/fault.ts";
import { hostedAt } from "../../protocol/hosted.ts";
import { answering, type Result } from "../../protocol/result.ts";
import { settingsOf } from "../../settings.ts";
import { RunFailed } from "../kit/failure.ts";
import { mcpTools } from "../kit/mcp.ts";
import { serveAgents } from "../kit/serve.ts";
import { agentOfApp } from "./app.ts";

/** Maximum time to connect to an MCP server and list its tools when an app is registered. */
const CHECK_MS = 15_000;

const answer = answering((thrown) => console.error("An app could not be checked", thrown));

const Served = serveAgents(async ({ url }, env) => {
  const named = hostedAt(url);
  if (named === null) return null;
  const app = await readApp(env["DB"] as D1Database, named.user_id, named.name);
  return app === null ? null : agentOfApp(app);
});

/** Runs apps as agents. */
export class Apps extends Served implements AppsApi {
  /**
   * Checks that the MCP server of an app can be used and has its tools. Returns null, or the failure as a `Result`:
   * `agent_unreachable` if the server does not answer, else the `Fault` of the toolbox.
   */
  check({ mcp, tools }: App): Promise<Result<null>> {
    const { env } = this;
    return answer(async () => {
      const signal = AbortSignal.timeout(CHECK_MS);
      try {
        const box = await mcpTools(mcp, { only: tools }).open({ env, signal, settings: () => settingsOf(env) });
        box.close();
        return null;
      } catch (thrown) {
        if (signal.aborted)
          throw new Fault("agent_unreachable", `Its MCP server did not answer within ${CHECK_MS / 1000} seconds.`, {
            field: "mcp",
            cause: thrown,
          });
        if (thrown instanceof RunFailed)
          throw new Fault("agent_unreachable", thrown.message, { field: "mcp", cause: thrown });
        throw thrown;
      }
    });
  }
}
