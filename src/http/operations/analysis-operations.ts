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
import { createMessage } from "../../language/messages.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { unwrapResult } from "../../protocol/wire/rpc-result.ts";
import type { Settings } from "../../settings.ts";

/** Returns the binding of the analyst. Throws `unavailable` if the deployment has none. */
export function getAnalyst({ AGENT_ANALYST }: Env): AnalystApi {
  if (AGENT_ANALYST === undefined) throw createFault("unavailable", "page.analystMissing");
  return AGENT_ANALYST;
}

/** Creates the operations for one user. */
export function createAnalysisOperations(env: Env, settings: Settings, userId: string) {
  /** Throws `unprocessable` for an empty text and `too_large` for a text above the message limit. */
  const checkText = (text: string, field: string): void => {
    if (text.trim() === "") throw createFault("unprocessable", createMessage("field.empty", { field }), { field });
    const maxBytes = settings.MAX_MESSAGE_BYTES;
    if (!exceedsBytes(text, maxBytes)) return;
    throw createFault("too_large", createMessage("field.tooLarge", { field, maxBytes }), { field });
  };

  return {
    /** Answers a message about data, asks a question, or plans a page. Stores the state under the conversation id. */
    async analyse(request: AnalysisRequest): Promise<AnalysisReply> {
      checkText(request.message, "message");
      return unwrapResult(await getAnalyst(env).converse(userId, request));
    },

    /** Creates the blueprint of a page. Stores nothing. */
    async planPage(request: BlueprintRequest): Promise<BlueprintReply> {
      checkText(request.userPrompt, "userPrompt");
      return unwrapResult(await getAnalyst(env).plan(userId, request));
    },

    /**
     * Builds and stores the page of the blueprint, or of the last blueprint of the conversation; `unprocessable`
     * without both. Streams its events as JSON lines. Cancelling the stream stops the work.
     */
    async generatePage(request: PageRequest): Promise<ReadableStream<Uint8Array>> {
      return unwrapResult(await getAnalyst(env).generate(userId, request));
    },
  };
}
