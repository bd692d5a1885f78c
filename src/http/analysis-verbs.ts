// Operations of the analyst, the agent that builds pages. They call its binding directly, without A2A.

import { exceedsBytes } from "../protocol/commands.ts";
import type {
  AnalysisReply,
  AnalysisRequest,
  AnalystApi,
  PageRequest,
  WorkflowReply,
  WorkflowRequest,
} from "../protocol/analysis.ts";
import type { Env } from "../env.ts";
import { Fault } from "../protocol/fault.ts";
import { valueOf } from "../protocol/result.ts";
import type { Settings } from "../settings.ts";

/** Returns the binding of the analyst. Throws `unavailable` if the deployment has none. */
export function analystOf({ AGENT_ANALYST }: Env): AnalystApi {
  if (AGENT_ANALYST === undefined) throw new Fault("unavailable", "This deployment has no analyst.");
  return AGENT_ANALYST;
}

/** Creates the operations for one user. */
export function analysisVerbsOf(env: Env, settings: Settings, userId: string) {
  /** Throws `unprocessable` for an empty text and `too_large` for a text above the message limit. */
  const checked = (text: string, field: string): void => {
    if (text.trim() === "") throw new Fault("unprocessable", `${field}: must not be empty`, { field });
    const limit = settings.MAX_MESSAGE_BYTES;
    if (exceedsBytes(text, limit)) throw new Fault("too_large", `${field}: must not exceed ${limit} bytes`, { field });
  };

  return {
    /** Answers a message about data, asks back, or proposes a page. */
    async analyse(request: AnalysisRequest): Promise<AnalysisReply> {
      checked(request.message, "message");
      return valueOf(await analystOf(env).converse(userId, request));
    },

    /** Creates the blueprint of a page. */
    async planPage(request: WorkflowRequest): Promise<WorkflowReply> {
      checked(request.userPrompt, "userPrompt");
      return valueOf(await analystOf(env).plan(userId, request));
    },

    /** Builds a page and streams its events as JSON lines. Cancelling the stream stops the work. */
    async generatePage(request: PageRequest): Promise<ReadableStream<Uint8Array>> {
      return valueOf(await analystOf(env).generate(userId, request));
    },
  };
}
