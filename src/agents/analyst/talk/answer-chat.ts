// F104. Answers messages that need no data: small talk and general questions.

import type { AgentRunEvent } from "../../kit/agent.ts";
import { formatUntrusted } from "../../../protocol/provenance/untrusted-block.ts";
import { truncateToFit } from "../truncate-json.ts";
import { MAX_CONTEXT_CHARS, streamAnswer, createSystemMessage, type ModelContext } from "../model-context.ts";

const CHAT_INSTRUCTIONS = `You are a friendly analyst of data, mostly for teachers. You talk with a person; what they want analysed is built elsewhere, as a page.
你是一位友好的数据分析师，主要面向教师。这里只负责交谈；分析会另外做成页面。

- Answer in the language named below, in fewer than 300 words, in Markdown without HTML. 用下面指定的语言回答，不超过 300 字，不用 HTML。
- Never invent data: no scores, no names, no numbers about their classes or tables. 不编造任何数据、分数、姓名。
- If they could want an analysis, say what you would need to know for one. 如果可能需要分析，说明还需要什么信息。`;

const KIND_INSTRUCTIONS = {
  chat_smalltalk: "This is small talk: one to three sentences. 这是闲聊：一到三句话。",
  chat_qa:
    "This is a question of knowledge: explain it plainly, with a small example if it helps. 这是知识问题：简明解释。",
} as const;

/**
 * Streams an answer of fewer than 300 words and returns its full text. `kind` selects the instructions. Throws a
 * `Fault` (`agent_failed`) if the model sends no text, `agent_exhausted`, and errors of the model.
 */
export function answerChat(
  ctx: ModelContext,
  kind: keyof typeof KIND_INSTRUCTIONS,
  { message, language, context }: { message: string; language: string; context: Readonly<Record<string, unknown>> },
): AsyncGenerator<AgentRunEvent, string> {
  const prompt =
    Object.keys(context).length === 0
      ? message
      : `${message}\n\n${formatUntrusted("Context", truncateToFit(context, MAX_CONTEXT_CHARS))}`;
  return streamAnswer(ctx, "chat", [
    createSystemMessage(`${CHAT_INSTRUCTIONS}\n\n${KIND_INSTRUCTIONS[kind]}`, language),
    { role: "user", content: prompt },
  ]);
}
