// Builds the chat history that a model receives at the start of a turn: the last exchanges of the conversation.
//
// Owns a cache of finished exchanges. It reads log rows newest first and stops at `MAX_THREADS` exchanges or `MAX_ROWS`
// rows, so that the hundredth turn costs as much as the tenth. Finished threads never change and are cached; open
// threads are excluded, and may later retract their rows.

import * as z from "zod";
import type { AssistantMessage, ChatMessage, ToolCall } from "../../../core/ports.ts";
import { isClientCall } from "../../../core/turn/client-tools.ts";
import { PLANNER, SUPER_AGENT, type Frame } from "../../../protocol/wire/events.ts";
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
   * Returns the messages of the last exchanges, oldest first, excluding the threads in `open`. Answers, questions,
   * failures and cancellations up to the next message of the person are one message, as the person saw them.
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
    /** The lines of each thread, newest first, until its first event has been read. */
    const linesByThread = new Map<string, TranscriptLine[]>();
    const exchanges: Exchange[] = [];
    let rows = 0;
    for (const row of this.#rows()) {
      if (row.last <= this.#settledUpTo) return { read: [...this.#cached, ...exchanges.toReversed()], isWhole: true };
      if (countMessages(exchanges) >= MAX_THREADS) break;
      if (++rows > MAX_ROWS) return { read: exchanges.toReversed(), isWhole: false };
      for (const entry of row.entries.toReversed()) {
        const line = toTranscriptLine(entry);
        if (line === null || open.has(line.threadId)) continue;
        const lines = linesByThread.get(line.threadId) ?? [];
        lines.push(line);
        linesByThread.set(line.threadId, lines);
        if (entry.event === "thread_started")
          exchanges.push({ from: entry.seq, messages: toMessages(lines.toReversed()).map(truncateMessage) });
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

/** A part of an answer: a paragraph, a notice or the calls of client tools. */
type AnswerPart = {
  /** The item whose chunks are joined without a separator; null for notices and calls. */
  readonly item: string | null;
  readonly task: string | undefined;
  /** The line above the part: the agent of a task, or a failure; "" for the runtime's own answers. */
  readonly heading: string;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
};

/** An event of a thread: messages of the person or of the client, or a part of the answer. */
type TranscriptLine = { readonly threadId: string } & (
  | { readonly kind: "messages"; readonly messages: readonly ChatMessage[] }
  | { readonly kind: "part"; readonly part: AnswerPart }
);

/** Converts an event to a line; null for events that are no part of the exchange. */
function toTranscriptLine(frame: Frame): TranscriptLine | null {
  switch (frame.event) {
    case "thread_started": {
      if (frame.data.role !== "user") return null;
      const { thread_id: threadId, payload, metadata } = frame.data;
      const input = z.array(messageSchema).safeParse(metadata?.["input"]);
      return { threadId, kind: "messages", messages: input.data ?? [{ role: "user", content: payload.content }] };
    }
    case "message_chunk":
      return createPartLine(frame.data, { item: frame.data.item_id ?? "", heading: formatAgent(frame.data) });
    case "plan_require_user_input":
    case "task_waiting":
      return createPartLine(frame.data, { heading: formatAgent(frame.data) });
    case "task_failed":
    case "task_cancelled": {
      const end = frame.event === "task_failed" ? "failed" : "cancelled";
      return createPartLine(frame.data, { heading: `${formatAgent(frame.data)} ${end}` });
    }
    case "plan_failed":
    case "system_failed":
      return createPartLine(frame.data, { heading: "failed" });
    case "done":
      if (frame.data.metadata?.["cancelled"] !== true) return null;
      return createPartLine({ thread_id: frame.data.thread_id }, { heading: "cancelled by the person" });
    case "tool_call_started": {
      if (!isClientCall(frame)) return null;
      const { tool_call_id: id, tool_name: name, tool_arguments: args = "{}" } = frame.data.payload;
      return createPartLine({ thread_id: frame.data.thread_id }, { toolCalls: [{ id, name, arguments: args }] });
    }
    default: {
      if (!isUserAnswer(frame)) return null;
      const { thread_id: threadId, payload } = frame.data;
      return { threadId, kind: "messages", messages: [{ role: "user", content: payload.content }] };
    }
  }
}

type PartData = {
  readonly thread_id?: string | undefined;
  readonly task_id?: string | undefined;
  readonly payload?: { readonly content: string };
};

function createPartLine(
  { thread_id, task_id: task, payload }: PartData,
  part: Partial<AnswerPart>,
): TranscriptLine | null {
  if (thread_id === undefined) return null;
  const text = payload?.content ?? "";
  return { threadId: thread_id, kind: "part", part: { item: null, task, heading: "", text, toolCalls: [], ...part } };
}

/** Returns the agent of a task; "" for the runtime's own stages. */
function formatAgent({ agent_name: name = "" }: { readonly agent_name?: string | undefined }): string {
  return name === SUPER_AGENT || name === PLANNER ? "" : name;
}

/** Joins the parts of each answer to one message, in the order of the lines. */
function toMessages(lines: readonly TranscriptLine[]): ChatMessage[] {
  const messages: ChatMessage[] = [];
  let parts: AnswerPart[] = [];
  for (const line of lines) {
    if (line.kind === "part") {
      parts = appendPart(parts, line.part);
      continue;
    }
    messages.push(...toAnswer(parts), ...line.messages);
    parts = [];
  }
  return [...messages, ...toAnswer(parts)];
}

/** Appends a part; a chunk of the last paragraph extends it. */
function appendPart(parts: AnswerPart[], part: AnswerPart): AnswerPart[] {
  const last = parts.at(-1);
  if (last === undefined || part.item === null || last.item !== part.item) return [...parts, part];
  return parts.with(-1, { ...last, text: last.text + part.text });
}

/** Returns parts as one message of the assistant, apart and each under its heading; empty if there are none. */
function toAnswer(parts: readonly AnswerPart[]): AssistantMessage[] {
  if (parts.length === 0) return [];
  const toolCalls = parts.flatMap((part) => part.toolCalls);
  const content = parts.flatMap(({ task, heading, text }, i) => {
    const before = parts[i - 1];
    const isNamed = heading !== "" && (before?.heading !== heading || before.task !== task);
    return [`${isNamed ? `[${heading}]\n` : ""}${text}`].filter((each) => each !== "");
  });
  return [{ role: "assistant", content: content.join("\n\n"), ...(toolCalls.length === 0 ? {} : { toolCalls }) }];
}

function truncateMessage(message: ChatMessage): ChatMessage {
  return { ...message, content: truncateWithEllipsis(message.content, MAX_CHARS_PER_MESSAGE) };
}
