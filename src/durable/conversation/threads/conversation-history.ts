// Builds the chat history that a model receives at the start of a turn: the last exchanges of the conversation.
//
// Owns a cache of finished exchanges. It reads log rows newest first and stops at `MAX_THREADS` exchanges or `MAX_ROWS`
// rows, so that the hundredth turn costs as much as the tenth. Finished threads never change and are cached; open
// threads are excluded, and may later retract their rows.

import * as z from "zod";
import type { AssistantMessage, ChatMessage, ToolCall } from "../../../core/ports.ts";
import { isClientCall } from "../../../core/turn/client-tools.ts";
import type { Frame } from "../../../protocol/wire/events.ts";
import { isUserAnswer } from "../../../protocol/plans/fold-plans.ts";
import { truncateWithEllipsis } from "../../../lib/truncate.ts";
import type { OpenThread } from "../storage/conversation-head.ts";
import type { StoredRow } from "../storage/conversation-store.ts";

const callSchema = z.object({ id: z.string(), name: z.string(), arguments: z.string() });
const messageSchema = z.union([
  z.object({ role: z.enum(["system", "user"]), content: z.string() }),
  z.object({ role: z.literal("assistant"), content: z.string(), toolCalls: z.array(callSchema).exactOptional() }),
  z.object({ role: z.literal("tool"), toolCallId: z.string(), content: z.string() }),
]);
const contextHistorySchema = z.object({ history: z.array(messageSchema) });

/**
 * Parses the history that the context of a message provides, oldest first: messages from before this conversation.
 * Returns an empty list if `context.history` is missing or has another shape.
 */
export function parseContextHistory(context: unknown): ChatMessage[] {
  const parsed = contextHistorySchema.safeParse(context);
  return parsed.success ? parsed.data.history : [];
}

/**
 * The number of exchanges that a model receives. A thread that begins with the results of client tools belongs to the
 * exchange before it.
 */
const MAX_THREADS = 5;
/** The number of log rows that are read at most; cached exchanges need none. */
const MAX_ROWS = 300;
const MAX_CHARS_PER_MESSAGE = 4_000;

/** The messages of one thread and the `seq` of its first event. */
type Exchange = { readonly from: number; readonly messages: readonly ChatMessage[] };

/** The message history of one conversation. Not reentrant; reads synchronously. */
export class ConversationHistory {
  readonly #rows: () => Iterable<StoredRow>;
  /** All threads that begin up to this `seq` are finished; the last of them are in the cache. */
  #settledUpTo = 0;
  #cached: readonly Exchange[] = [];

  /** `rows` returns the stored rows, newest first, lazily. */
  constructor(rows: () => Iterable<StoredRow>) {
    this.#rows = rows;
  }

  /**
   * Returns the messages of the last exchanges, oldest first, excluding the threads in `open`. Chunks and questions are
   * joined up to the next message of the person, as the person saw them.
   */
  getMessages(open: readonly Pick<OpenThread, "thread_id" | "seq">[]): readonly ChatMessage[] {
    const { read, isWhole } = this.#read(new Set(open.map(({ thread_id }) => thread_id)));
    const exchanges = takeNewest(read);
    const [first] = open.map(({ seq }) => seq).toSorted((a, b) => a - b);
    // If the row limit was reached, keep no boundary: an open thread may retract rows, so that older rows come into
    // range.
    if (!isWhole) this.#settledUpTo = 0;
    else if (first !== undefined) this.#settledUpTo = first - 1;
    this.#cached = exchanges.filter(({ from }) => from <= this.#settledUpTo);
    return exchanges.flatMap(({ messages }) => messages);
  }

  #read(open: ReadonlySet<string>): { readonly read: readonly Exchange[]; readonly isWhole: boolean } {
    /** Messages of each thread, newest first, until its first event has been read. */
    const messagesByThread = new Map<string, ChatMessage[]>();
    const exchanges: Exchange[] = [];
    let rows = 0;
    for (const row of this.#rows()) {
      if (row.last <= this.#settledUpTo) return { read: [...this.#cached, ...exchanges.toReversed()], isWhole: true };
      if (countMessages(exchanges) >= MAX_THREADS) break;
      if (++rows > MAX_ROWS) return { read: exchanges.toReversed(), isWhole: false };
      for (const entry of row.entries.toReversed()) {
        const line = toTranscriptLine(entry);
        if (line === null || open.has(line.threadId)) continue;
        const messages = messagesByThread.get(line.threadId) ?? [];
        for (const message of line.messages.toReversed()) {
          const next = messages.at(-1);
          if (message.role === "assistant" && next?.role === "assistant")
            messages[messages.length - 1] = joinMessages(message, next);
          else messages.push(message);
        }
        messagesByThread.set(line.threadId, messages);
        if (entry.event === "thread_started")
          exchanges.push({ from: entry.seq, messages: messages.toReversed().map(truncateMessage) });
      }
    }
    return { read: exchanges.toReversed(), isWhole: true };
  }
}

const beginsWithMessage = ({ messages }: Exchange): boolean => messages[0]?.role !== "tool";

/** Returns the number of exchanges that begin with a message of the person. */
const countMessages = (exchanges: readonly Exchange[]): number => exchanges.filter(beginsWithMessage).length;

/** Returns the newest `MAX_THREADS` exchanges of a list that is ordered oldest first. */
function takeNewest(exchanges: readonly Exchange[]): readonly Exchange[] {
  const starts = exchanges.flatMap((exchange, i) => (beginsWithMessage(exchange) ? [i] : []));
  return exchanges.slice(starts.at(-MAX_THREADS) ?? 0);
}

type TranscriptLine = { readonly threadId: string; readonly messages: readonly ChatMessage[] };

/** Converts an event to messages of the person or of an agent; null for other events. Answers count as messages. */
function toTranscriptLine(frame: Frame): TranscriptLine | null {
  switch (frame.event) {
    case "thread_started": {
      if (frame.data.role !== "user") return null;
      const { thread_id: threadId, payload, metadata } = frame.data;
      const input = z.array(messageSchema).safeParse(metadata?.["input"]);
      return { threadId, messages: input.data ?? [{ role: "user", content: payload.content }] };
    }
    case "message_chunk":
      return createAssistantLine(frame.data.thread_id, frame.data.payload.content);
    case "plan_require_user_input":
    case "task_waiting":
      return createAssistantLine(frame.data.thread_id, `${frame.data.payload.content}\n`);
    case "tool_call_started": {
      if (!isClientCall(frame)) return null;
      const { tool_call_id: id, tool_name: name, tool_arguments: args = "{}" } = frame.data.payload;
      return createAssistantLine(frame.data.thread_id, "", [{ id, name, arguments: args }]);
    }
    default: {
      if (!isUserAnswer(frame)) return null;
      return { threadId: frame.data.thread_id, messages: [{ role: "user", content: frame.data.payload.content }] };
    }
  }
}

function createAssistantLine(threadId: string, content: string, toolCalls?: readonly ToolCall[]): TranscriptLine {
  return { threadId, messages: [{ role: "assistant", content, ...(toolCalls === undefined ? {} : { toolCalls }) }] };
}

/** Joins two messages of the assistant that follow one another, with the calls of both. */
function joinMessages(before: AssistantMessage, after: AssistantMessage): AssistantMessage {
  const toolCalls = [...(before.toolCalls ?? []), ...(after.toolCalls ?? [])];
  const content = before.content + after.content;
  return { role: "assistant", content, ...(toolCalls.length === 0 ? {} : { toolCalls }) };
}

function truncateMessage(message: ChatMessage): ChatMessage {
  return { ...message, content: truncateWithEllipsis(message.content, MAX_CHARS_PER_MESSAGE) };
}
