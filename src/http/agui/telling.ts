// Encodes the messages of a run as they grow.
//
// State of one encoder: open messages, sent ids, calls with their progress, and the messages that the client had before
// the run. The caller shares the map of items with it. Frames must be passed in order.
// - Output that the client already has is not repeated, so a repeated run sends only the rest. Text is compared by
//   length: for each known message, that many characters are skipped.
// - A message is closed when the next frame of its task belongs to another item; a call is closed with its arguments.
// - Each call gets exactly one result, since clients would otherwise run it themselves. A call without a result gets a
//   fixed text when the run or its attempt ends.
// - AG-UI has no retraction. A retried task sends a snapshot of all remaining messages. Reasoning and components
//   survive snapshots in clients, so removed items are sent once more, empty.

import type { EventOf, Frame } from "../../protocol/events.ts";
import { shapeItems, textOf, type Item } from "../../protocol/items.ts";
import { activityOf, emptyOf, isComponent } from "./activities.ts";
import type { Message, RunEvent } from "./events.ts";
import { madeBy, messagesOf, resultId, resultIn } from "./transcript.ts";

/** A message or call that was started and not closed. */
type Open = { readonly kind: "text" | "reasoning" | "call"; readonly task: string };

/** The result of a call whose task ended before it. */
const NO_RESULT = "There is no result: the work ended before it.";

/** The encoder of the messages of one run. */
export class Telling {
  readonly #items: Map<string, Item>;
  /** The client's messages from before this run, without retracted messages. */
  #had: readonly Message[];
  /** The number of UTF-16 units per message that the client has and that were not skipped yet. */
  readonly #unheard = new Map<string, number>();
  readonly #open = new Map<string, Open>();
  readonly #told = new Set<string>();
  /** Calls that need no result: it was sent, or the client has it. */
  readonly #answered = new Set<string>();
  readonly #calls = new Set<string>();
  /** Calls whose arguments the client has. */
  readonly #argued = new Set<string>();
  #heardRetries: number;

  /** `retried` is the number of retries of the thread that the client already knows. */
  constructor(had: readonly Message[], items: Map<string, Item>, retried: number) {
    this.#had = had;
    this.#heardRetries = retried;
    this.#items = items;
    for (const message of had) {
      const { id, role, content, toolCallId } = message;
      if (typeof content === "string" && role !== "tool") this.#unheard.set(id, content.length);
      if (toolCallId !== undefined) this.#answered.add(toolCallId);
      if (isArgued(message)) this.#argued.add(message.id);
    }
  }

  /** Folds a frame into the items and returns its events. */
  hear(frame: Frame): RunEvent[] {
    const before = frame.event === "task_retrying" ? new Map(this.#items) : this.#items;
    shapeItems(this.#items, frame.seq, frame);
    const { data } = frame;
    const task = "task_id" in data ? (data.task_id ?? "") : "";
    // The log does not mark the end of a paragraph. A frame of the same task with another item ends it.
    const over = this.#wordsOf(task).filter((id) => id !== data.item_id);
    return [...over.flatMap((id) => this.#end(id)), ...this.#said(frame, before)];
  }

  /** Returns the ids of the task's open texts and reasoning. */
  #wordsOf(task: string): string[] {
    return [...this.#open].filter(([, open]) => open.task === task && open.kind !== "call").map(([id]) => id);
  }

  /** Closes all open messages, and gives a result to calls that have none. */
  close(): RunEvent[] {
    const ended = [...this.#open.keys()].flatMap((id) => this.#end(id));
    const unanswered = [...this.#calls].filter((id) => !this.#answered.has(id));
    return [...ended, ...unanswered.flatMap((id) => this.#answer(id, NO_RESULT))];
  }

  #said(frame: Frame, before: ReadonlyMap<string, Item>): RunEvent[] {
    switch (frame.event) {
      case "message_chunk":
        return this.#text(frame.data, frame.data.payload.content);
      case "message":
      case "task_waiting":
      case "plan_require_user_input":
        return [...this.#text(frame.data, frame.data.payload.content), ...this.#end(frame.data.item_id)];
      case "reasoning":
        return this.#thought(frame.data, frame.data.payload.content);
      case "reasoning_completed":
        return this.#end(frame.data.item_id);
      case "tool_call_started":
        return [...this.#call(frame), ...this.#late(frame.data.item_id)];
      case "tool_call_completed":
        return [...this.#result(frame), ...this.#late(frame.data.item_id)];
      case "component_generator":
        this.#told.add(frame.data.item_id);
        return [activityOf(frame.data)];
      case "verification_completed":
        return [{ type: "CUSTOM", name: frame.event, value: frame.data.payload }];
      case "task_retrying":
        return this.#retracted(frame.data.task_id, before);
      default:
        return [];
    }
  }

  /** Returns the part of a chunk that the client does not have. */
  #news(id: string, text: string): string {
    const unheard = this.#unheard.get(id) ?? 0;
    if (unheard > 0) this.#unheard.set(id, Math.max(0, unheard - text.length));
    return text.slice(unheard);
  }

  /** Encodes a chunk or a complete text, and starts its message if necessary. */
  #text(
    data: EventOf<"message_chunk">["data"] | EventOf<"plan_require_user_input">["data"],
    content: string,
  ): RunEvent[] {
    const { item_id: messageId, task_id = "", agent_name: name, role } = data;
    const delta = this.#news(messageId, content);
    this.#told.add(messageId);
    if (delta === "") return [];
    const isOpen = this.#open.has(messageId);
    this.#open.set(messageId, { kind: "text", task: task_id });
    const start: RunEvent = {
      type: "TEXT_MESSAGE_START",
      messageId,
      role: role === "user" ? "user" : "assistant",
      ...(name === undefined ? {} : { name }),
      ...madeBy(data),
    };
    return [...(isOpen ? [] : [start]), { type: "TEXT_MESSAGE_CONTENT", messageId, delta }];
  }

  #thought(data: EventOf<"reasoning">["data"], content: string): RunEvent[] {
    const { item_id: messageId, task_id: task } = data;
    const delta = this.#news(messageId, content);
    this.#told.add(messageId);
    if (delta === "") return [];
    const isOpen = this.#open.has(messageId);
    this.#open.set(messageId, { kind: "reasoning", task });
    const start: RunEvent[] = [
      { type: "REASONING_START", messageId },
      { type: "REASONING_MESSAGE_START", messageId, role: "reasoning", ...madeBy(data) },
    ];
    return [...(isOpen ? [] : start), { type: "REASONING_MESSAGE_CONTENT", messageId, delta }];
  }

  /** Encodes a call. It stays open until its arguments are known, which may be as late as its result. */
  #call({ data }: EventOf<"tool_call_started"> | EventOf<"tool_call_completed">): RunEvent[] {
    const { item_id: toolCallId, payload, task_id: task } = data;
    this.#told.add(toolCallId);
    const isNew = !this.#calls.has(toolCallId);
    this.#calls.add(toolCallId);
    if (this.#answered.has(toolCallId)) return [];
    if (isNew) this.#open.set(toolCallId, { kind: "call", task });
    const { tool_arguments: delta = "" } = payload;
    const start: RunEvent = { type: "TOOL_CALL_START", toolCallId, toolCallName: payload.tool_name, ...madeBy(data) };
    const hasNews = delta !== "" && !this.#argued.has(toolCallId) && this.#open.has(toolCallId);
    if (hasNews) this.#argued.add(toolCallId);
    return [
      ...(isNew ? [start] : []),
      ...(hasNews ? [{ type: "TOOL_CALL_ARGS", toolCallId, delta } as const] : []),
      ...(delta === "" ? [] : this.#end(toolCallId)),
    ];
  }

  /** Sends a snapshot for a call that was closed without arguments and got them in a retry. */
  #late(id: string): RunEvent[] {
    const isLate = this.#calls.has(id) && !this.#open.has(id) && !this.#argued.has(id);
    if (!isLate || !hasArguments(this.#items.get(id)?.payload)) return [];
    this.#argued.add(id);
    return [this.#snapshot([])];
  }

  /** Encodes a completed call: its start and arguments if necessary, then its result. */
  #result(frame: EventOf<"tool_call_completed">): RunEvent[] {
    const { item_id: id, payload } = frame.data;
    return [...this.#call(frame), ...this.#end(id), ...this.#answer(id, resultIn(payload.tool_result), frame.data)];
  }

  /** Returns the result of a call unless a result was sent. */
  #answer(toolCallId: string, content: string, data?: EventOf<"tool_call_completed">["data"]): RunEvent[] {
    if (this.#answered.has(toolCallId)) return [];
    this.#answered.add(toolCallId);
    const origin = madeBy(data ?? this.#items.get(toolCallId) ?? {});
    return [
      { type: "TOOL_CALL_RESULT", messageId: resultId(toolCallId), toolCallId, content, role: "tool", ...origin },
    ];
  }

  /** Closes a message or call; returns nothing if it is not open. */
  #end(id: string): RunEvent[] {
    const open = this.#open.get(id);
    if (open === undefined) return [];
    this.#open.delete(id);
    switch (open.kind) {
      case "text":
        return [{ type: "TEXT_MESSAGE_END", messageId: id }];
      case "reasoning":
        return [
          { type: "REASONING_MESSAGE_END", messageId: id },
          { type: "REASONING_END", messageId: id },
        ];
      case "call":
        return [{ type: "TOOL_CALL_END", toolCallId: id }];
    }
  }

  /**
   * Encodes a retry of a task: closes its messages, gives results to removed calls, updates components, and sends a
   * snapshot if messages have changed. `before` are the items before the retry.
   */
  #retracted(task: string, before: ReadonlyMap<string, Item>): RunEvent[] {
    const lost = [...before.values()].filter(({ item_id: id }) => !this.#items.has(id) && this.#told.has(id));
    const again = [...this.#items.values()].filter((item) => before.get(item.item_id) !== item);
    const ended = [...this.#open].filter(([, open]) => open.task === task).flatMap(([id]) => this.#end(id));
    const calls = lost.filter(({ item_id }) => this.#calls.has(item_id));
    const answers = calls.flatMap(({ item_id }) => this.#answer(item_id, NO_RESULT));
    for (const { item_id } of lost) this.#forget(item_id);
    const isHeard = this.#heardRetries > 0;
    this.#heardRetries -= 1;
    const isLess = this.#hasLess(task, lost, isHeard);
    for (const { item_id: id, event, payload } of again) {
      // After a retry that the client knows, its messages are from after the retry.
      const had = isHeard ? this.#had.filter((message) => idOf(message) === id) : [];
      const hasResult = had.some(({ role }) => role === "tool");
      if (event === "tool_call_started" && !hasResult) this.#answered.delete(id);
      if (!hasArguments(payload) && !had.some(isArgued)) this.#argued.delete(id);
    }
    const shown = [...lost.filter(isComponent).map(emptyOf), ...again.filter(isComponent).map(activityOf)];
    const isSaid = isLess || [...lost, ...again].some((item) => !isComponent(item));
    const thoughts = lost.filter((item) => item.event === "reasoning" && textOf(item) !== "");
    return [...ended, ...answers, ...shown, ...(isSaid ? [this.#snapshot(thoughts)] : [])];
  }

  /** Forgets a removed item. A later item may reuse its id. */
  #forget(id: string): void {
    for (const known of [this.#told, this.#unheard, this.#calls, this.#answered, this.#argued]) known.delete(id);
  }

  /** Removes retracted messages from the client's messages. True if there were any. */
  #hasLess(task: string, lost: readonly Item[], isHeard: boolean): boolean {
    const gone = new Set(lost.map(({ item_id }) => item_id));
    const isLost = (message: Message): boolean => {
      const item = this.#items.get(idOf(message));
      const isLeft = message.role === "tool" ? item?.event === "tool_call_completed" : item !== undefined;
      return gone.has(idOf(message)) || (!isHeard && isOf(message, task) && !isLeft);
    };
    const before = this.#had;
    this.#had = before.filter((message) => !isLost(message));
    for (const message of before.filter(isLost)) {
      if (this.#items.has(idOf(message))) this.#answered.delete(idOf(message));
      else this.#forget(idOf(message));
    }
    return this.#had.length < before.length;
  }

  /** True if the item was sent completely and with everything that the client had of it. */
  #isKnown({ item_id: id, payload }: Item): boolean {
    if (!this.#told.has(id) || (this.#unheard.get(id) ?? 0) > 0) return false;
    return hasArguments(payload) || !this.#argued.has(id);
  }

  /**
   * Returns a snapshot of all messages. If it would contain no reasoning, removed reasoning is included empty: clients
   * keep their reasoning if a snapshot has none.
   */
  #snapshot(lostThoughts: readonly Item[]): RunEvent {
    const said = [...this.#items.values()].filter((item) => this.#isKnown(item)).flatMap(messagesOf);
    const ids = new Set(said.map(({ id }) => id));
    const messages = [...this.#had.filter(({ id }) => !ids.has(id)), ...said].filter(({ role }) => role !== "activity");
    const isThoughtless = !messages.some(({ role }) => role === "reasoning");
    const emptied = lostThoughts.map(({ item_id: id }) => ({ id, role: "reasoning", content: "" }));
    return { type: "MESSAGES_SNAPSHOT", messages: isThoughtless ? [...messages, ...emptied] : messages };
  }
}

/** True for a message that is a call with arguments. */
function isArgued({ toolCalls: [call] = [] }: Message): boolean {
  return (call?.function.arguments ?? "") !== "";
}

/** Returns the id of the item that a message belongs to. */
function idOf({ id, toolCallId }: Message): string {
  return toolCallId ?? id;
}

/** True if the message belongs to the task. The origin of a call is at the call. */
function isOf({ metadata, toolCalls: [call] = [] }: Message, task: string): boolean {
  return (metadata ?? call?.metadata)?.["task_id"] === task;
}

function hasArguments(payload: Item["payload"] | undefined): boolean {
  return (payload?.["tool_arguments"] ?? "") !== "";
}
