// A conversation with the analyst over real tables in memory. The embedded model plays the analyst's model.

import { AgentBudget } from "../../src/agents/kit/agent-limits.ts";
import type { AgentModel } from "../../src/agents/kit/agent.ts";
import { handleMessage } from "../../src/agents/analyst/talk/handle-message.ts";
import { createDataTools } from "../../src/agents/analyst/data-tools.ts";
import type { AnalystContext } from "../../src/agents/analyst/analyst-context.ts";
import { ANALYST_LIMITS } from "../../src/agents/analyst/analyst-limits.ts";
import { buildAndStorePage, loadPreviousPage } from "../../src/agents/analyst/execute/build-and-store-page.ts";
import { answerRequest } from "../../src/embedded/embedded-fetch.ts";
import type { EmbeddedAnswer, ChatTurn } from "../../src/embedded/chat-completions.ts";
import type { AnalysisReply } from "../../src/protocol/pages/analysis-api.ts";
import { ensurePresent } from "../../src/lib/assert.ts";
import type { PageBlock, PageEvent, PageSpec } from "../../src/protocol/pages/page.ts";
import type { AnalysisState } from "../../src/protocol/pages/stored-page.ts";
import { openLibrary, type TestLibrary } from "../support/dataset-library.ts";
import { getReturnValue } from "../agents/analyst/run-execution.ts";
import { createPageLibrary } from "../agents/fixtures/run-analyst.ts";

type ModelRequest = Parameters<AgentModel["complete"]>[0];

/** Creates the embedded model without HTTP. `answers` holds its answers by role. */
export function createEmbeddedModel(): AgentModel & { readonly answers: { role: string; answer: EmbeddedAnswer }[] } {
  const answers: { role: string; answer: EmbeddedAnswer }[] = [];
  return {
    answers,
    complete(request, emit) {
      const turns = request.messages.map(toChatTurn);
      const answer = answerRequest({ turns, tools: [...(request.tools ?? [])] }, request.role);
      answers.push({ role: request.role, answer });
      const text = answer.kind === "text" ? answer.text : "";
      if (text !== "") emit({ type: "text", text });
      const calls = answer.kind === "calls" ? answer.calls : [];
      const toolCalls = calls.map((call, i) => ({
        id: `c${i}`,
        name: call.name,
        arguments: JSON.stringify(call.arguments),
      }));
      return Promise.resolve({ text, toolCalls, usage: { inputTokens: 1, outputTokens: 1 } });
    },
  };
}

function toChatTurn(message: ModelRequest["messages"][number]): ChatTurn {
  const { role, content } = message;
  const toolCalls = role === "assistant" ? [...(message.toolCalls ?? [])] : [];
  return { role, text: content, toolCalls, toolCallId: role === "tool" ? message.toolCallId : "" };
}

export type AnalystTurn = AnalysisReply & {
  readonly page: PageSpec | null;
  readonly events: readonly PageEvent[];
  readonly blocks: readonly PageBlock[];
};

/** Starts a conversation. Each message with a blueprint builds its page, as in the runtime. */
export function startConversation(library: TestLibrary = openLibrary()) {
  const model = createEmbeddedModel();
  const pages = createPageLibrary();
  const context: AnalystContext = {
    tools: createDataTools(library.data),
    library: pages,
    model,
    signal: new AbortController().signal,
    budget: new AgentBudget({ ...ANALYST_LIMITS, modelCalls: 1_000, toolCalls: 1_000 }),
  };
  let state: AnalysisState = {};
  return {
    model,
    async send(message: string, language = /[\u3400-\u9fff]/.test(message) ? "zh" : "en"): Promise<AnalystTurn> {
      const request = { message, language, teacherId: "t-001" };
      const { reply, state: newState } = await getReturnValue(handleMessage(context, request, state));
      state = newState;
      await pages.saveState("0123456789abcdef", newState);
      if (reply.blueprint === undefined) return { ...reply, page: null, events: [], blocks: [] };
      const { setup, page_id } = state;
      const events: PageEvent[] = [];
      const options = {
        blueprint: reply.blueprint,
        context: setup?.context ?? {},
        teacherId: "t-001",
        language,
        key: "0123456789abcdef",
        pageId: page_id ?? `page-${crypto.randomUUID().replaceAll("-", "")}`,
        ...(await loadPreviousPage(context, state)),
      };
      for await (const event of buildAndStorePage(context, options)) events.push(event);
      state = await pages.loadState("0123456789abcdef");
      const last = ensurePresent(events.at(-1), "the end of a page");
      const page = last.type === "COMPLETE" ? last.result.page : null;
      return { ...reply, page, events, blocks: page?.tabs.flatMap((tab) => tab.blocks) ?? [] };
    },
  };
}

const SALES = [
  "日期,地区,产品,销售额,数量",
  "2026-01-05,华东,苹果,120.5,3",
  "2026-01-20,华北,梨,80,2",
  "2026-02-11,华东,苹果,200,5",
  "2026-02-15,华南,桃,60.25,1",
  "2026-03-01,华北,梨,150,4",
  "2026-03-09,华东,桃,,2",
].join("\n");
const ORDERS = [
  "date,region,product,revenue,units",
  "2026-01-05,East,apple,120.5,3",
  "2026-01-20,North,pear,80,2",
  "2026-02-11,East,apple,200,5",
  "2026-03-01,North,pear,150,4",
].join("\n");

const LOGS =
  "time,path,status,ms\n2026-03-01,/a,200,12\n2026-03-01,/b,404,3\n2026-03-02,/a,200,15\n2026-03-02,/c,500,90\n2026-03-03,/a,404,4\n";

/** Creates a library with three tables. */
export function createSampleLibrary() {
  const library = openLibrary();
  library.add("销售", SALES);
  library.add("orders", ORDERS);
  library.add("fb_logs", LOGS);
  return library;
}
