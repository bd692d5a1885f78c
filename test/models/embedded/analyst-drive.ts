// A conversation with the analyst whose model is the embedded one, over real tables in memory.

import { Allowance } from "../../../src/agents/kit/limits.ts";
import type { Model } from "../../../src/agents/kit/agent.ts";
import { converse } from "../../../src/agents/analyst/conversation.ts";
import { toolsOver } from "../../../src/agents/analyst/data-tools.ts";
import type { Desk } from "../../../src/agents/analyst/desk.ts";
import { LIMITS } from "../../../src/agents/analyst/limits.ts";
import { makePage, previousOf } from "../../../src/agents/analyst/page-run.ts";
import { answerTo } from "../../../src/models/embedded/fetch.ts";
import type { Answer, Turn } from "../../../src/models/embedded/wire.ts";
import type { AnalysisReply } from "../../../src/protocol/analysis.ts";
import { must } from "../../../src/protocol/assert.ts";
import type { Block, PageEvent, PageSpec } from "../../../src/protocol/page.ts";
import type { Standing } from "../../../src/protocol/pages.ts";
import { openLibrary, type OpenLibrary } from "../../support/library.ts";
import { endOf } from "../../agents/analyst/stage.ts";
import { shelf } from "../../agents/fixtures/desk.ts";

type Asked = Parameters<Model["complete"]>[0];

/** The embedded model without a wire; `calls` are those that it was asked for. */
export function embedded(): Model & { readonly answers: { role: string; answer: Answer }[] } {
  const answers: { role: string; answer: Answer }[] = [];
  return {
    answers,
    complete(request, hear) {
      const turns = request.messages.map(turnOf);
      const answer = answerTo(
        { turns, tools: [...(request.tools ?? [])], isStreamed: true, wantsUsage: true },
        request.role,
      );
      answers.push({ role: request.role, answer });
      const text = answer.kind === "text" ? answer.text : "";
      if (text !== "") hear({ type: "text", text });
      const calls = answer.kind === "calls" ? answer.calls : [];
      const toolCalls = calls.map((one, i) => ({
        id: `c${i}`,
        name: one.name,
        arguments: JSON.stringify(one.arguments),
      }));
      return Promise.resolve({ text, toolCalls, usage: { inputTokens: 1, outputTokens: 1 } });
    },
  };
}

function turnOf(message: Asked["messages"][number]): Turn {
  const { role, content } = message;
  const toolCalls = role === "assistant" ? [...(message.toolCalls ?? [])] : [];
  return { role, text: content, toolCalls, toolCallId: role === "tool" ? message.toolCallId : "" };
}

export type Turned = AnalysisReply & {
  readonly page: PageSpec | null;
  readonly events: readonly PageEvent[];
  readonly blocks: readonly Block[];
};

/** One conversation: every message with a blueprint has its page made, as the runtime does. */
export function conversation(library: OpenLibrary = openLibrary()) {
  const model = embedded();
  const pages = shelf();
  const desk: Desk = {
    tools: toolsOver(library.data),
    library: pages,
    model,
    signal: new AbortController().signal,
    used: new Allowance({ ...LIMITS, modelCalls: 1_000, toolCalls: 1_000 }),
  };
  let standing: Standing = {};
  return {
    model,
    async says(message: string, language = /[\u3400-\u9fff]/.test(message) ? "zh" : "en"): Promise<Turned> {
      const request = { message, language, teacherId: "t-001" };
      const { reply, standing: after } = await endOf(converse(desk, request, standing));
      standing = after;
      await pages.keepStanding("0123456789abcdef", after);
      if (reply.blueprint === undefined) return { ...reply, page: null, events: [], blocks: [] };
      const { setup, page_id } = standing;
      const events: PageEvent[] = [];
      const order = {
        blueprint: reply.blueprint,
        context: setup?.context ?? {},
        teacherId: "t-001",
        language,
        key: "0123456789abcdef",
        pageId: page_id ?? `page-${crypto.randomUUID().replaceAll("-", "")}`,
        ...(await previousOf(desk, standing)),
      };
      for await (const event of makePage(desk, order)) events.push(event);
      standing = await pages.standing("0123456789abcdef");
      const last = must(events.at(-1), "the end of a page");
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

/** A person with two tables. */
export function withTables() {
  const library = openLibrary();
  library.add("销售", SALES);
  library.add("orders", ORDERS);
  return library;
}
