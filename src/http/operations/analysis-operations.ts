// Operations of the analyst, the agent that builds pages. They call its binding directly, without A2A.

import { exceedsBytes } from "../../protocol/wire/commands.ts";
import type {
  AnalysisReply,
  AnalysisRequest,
  AnalystApi,
  PageRequest,
  BlueprintReply,
  BlueprintRequest,
} from "../../protocol/pages/analysis-api.ts";
import type { Env } from "../../env.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import { unwrapResult } from "../../protocol/wire/rpc-result.ts";
import type { Settings } from "../../settings.ts";

/** Returns the binding of the analyst. Throws `unavailable` if the deployment has none. */
export function getAnalyst({ AGENT_ANALYST }: Env): AnalystApi {
  if (AGENT_ANALYST === undefined) throw new Fault("unavailable", "This deployment has no analyst.");
  return AGENT_ANALYST;
}

/** Creates the operations for one user. */
export function createAnalysisOperations(env: Env, settings: Settings, userId: string) {
  /** Throws `unprocessable` for an empty text and `too_large` for a text above the message limit. */
  const checkText = (text: string, field: string): void => {
    if (text.trim() === "") throw new Fault("unprocessable", `${field}: must not be empty`, { field });
    const limit = settings.MAX_MESSAGE_BYTES;
    if (exceedsBytes(text, limit)) throw new Fault("too_large", `${field}: must not exceed ${limit} bytes`, { field });
  };

  return {
    /** Answers a message about data, asks back, or proposes a page. */
    async analyse(request: AnalysisRequest): Promise<AnalysisReply> {
      checkText(request.message, "message");
      return unwrapResult(await getAnalyst(env).converse(userId, request));
    },

    /** Creates the blueprint of a page. */
    async planPage(request: BlueprintRequest): Promise<BlueprintReply> {
      checkText(request.userPrompt, "userPrompt");
      return unwrapResult(await getAnalyst(env).plan(userId, request));
    },

    /** Builds a page and streams its events as JSON lines. Cancelling the stream stops the work. */
    async generatePage(request: PageRequest): Promise<ReadableStream<Uint8Array>> {
      return unwrapResult(await getAnalyst(env).generate(userId, request));
    },
  };
}
