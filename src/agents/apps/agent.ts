// The entrypoint of the apps of all users. The URL of a request contains the user and the name of the app.

import { readApp } from "../../directory/agent-directory.ts";
import { openDirectory } from "../../directory/open-directory.ts";
import type { AppConfig, AppsApi } from "../../protocol/agents/app-config.ts";
import { createMessage } from "../../language/messages.ts";
import { createFault, Failure } from "../../protocol/wire/message-error.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import { parseHostedAgentUrl } from "../../protocol/agents/hosted-agent-url.ts";
import { createResultWrapper, type InternalResult } from "../../protocol/wire/rpc-result.ts";
import type { AgentChecks } from "../../protocol/agents/agent.ts";
import { listCheckTools } from "../kit/tools/run-check.ts";
import { getSettings, listSealingSecrets } from "../../settings.ts";
import { mcpTools } from "../kit/mcp/mcp.ts";
import { serveAgents } from "../kit/serve.ts";
import { withModel } from "../kit/with-model.ts";
import { createAppAgent } from "./app-agent.ts";

const CHECK_TIMEOUT_MS = 15_000;

const runAsResult = createResultWrapper((thrown) => console.error("An app could not be checked", thrown));

const AppsEntrypoint = serveAgents(async ({ url }, env) => {
  const hosted = parseHostedAgentUrl(url);
  if (hosted === null) return null;
  const secrets = listSealingSecrets(getSettings(env));
  const app = await readApp(openDirectory(env["DB"] as D1Database), hosted.user_id, hosted.name, secrets);
  return app === null ? null : withModel(createAppAgent(app));
});

/** Runs the registered apps of all users as agents; answers 404 for an unknown app. */
export class Apps extends AppsEntrypoint implements AppsApi {
  /**
   * Connects to the MCP server of an app, within `CHECK_TIMEOUT_MS`, checks that it has all tools that the app names, and
   * returns the read-only ones. Never rejects: a failed check is a failed result. Its code is `agent_unreachable` if the server cannot be
   * used, `invalid_request` for a forbidden address or header, and `unprocessable` for missing tools.
   */
  check({ mcp, tools }: AppConfig): Promise<InternalResult<AgentChecks["tools"]>> {
    const { env } = this;
    return runAsResult(async () => {
      const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
      try {
        const toolbox = await mcpTools(mcp, { only: tools }).open({ env, signal, settings: () => getSettings(env) });
        toolbox.close();
        return listCheckTools(toolbox.tools);
      } catch (thrown) {
        if (signal.aborted) {
          const message = createMessage("app.mcpTimedOut", { seconds: CHECK_TIMEOUT_MS / 1000 });
          throw createFault("agent_unreachable", message, { field: "mcp", cause: thrown });
        }
        if (thrown instanceof Failure) throw toUnreachableFault(thrown);
        throw thrown;
      }
    });
  }
}

function toUnreachableFault(failure: Failure): Fault {
  const { message, text } = failure;
  const detail = { field: "mcp", cause: failure };
  return new Fault("agent_unreachable", message, typeof text === "string" ? detail : { ...detail, text });
}
