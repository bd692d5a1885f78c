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

import type { EventOf, Frame } from "../../protocol/wire/events.ts";
import { applyEventToItems, getItemText, type Item } from "../../protocol/wire/items.ts";
import type { AgUiMessage, RunEvent } from "./agui-events.ts";
import { formatEnglish } from "../../language/messages.ts";
import {
  toActivity,
  toEmptyActivity,
  isComponent,
  toOriginMetadata,
  toMessages,
  toResultId,
  formatToolResult,
} from "./agui-messages.ts";

/** A message or call that was started and not closed. */
type OpenMessage = { readonly kind: "text" | "reasoning" | "call"; readonly task: string };

/** The result of a call whose task ended before it. */
const NO_RESULT_TEXT = formatEnglish("agui.noResult");

/** The encoder of the messages of one run. */
export class AgUiMessageEncoder {
  readonly #items: Map<string, Item>;
  /** The client's messages from before this run, without retracted messages. */
  #clientMessages: readonly AgUiMessage[];
  /** The number of UTF-16 units per message that the client has and that were not skipped yet. */
  readonly #knownChars = new Map<string, number>();
  readonly #openMessages = new Map<string, OpenMessage>();
  readonly #sentIds = new Set<string>();
  /** Calls that need no result: it was sent, or the client has it. */
  readonly #answeredCalls = new Set<string>();
  readonly #callIds = new Set<string>();
  /** Calls whose arguments the client has. */
  readonly #callsWithArguments = new Set<string>();
  #knownRetries: number;

  /**
   * `clientMessages` are the messages that the client has; `items` is filled by `encode`. `knownRetries` is the number
   * of retries of the thread that the client already knows.
   */
  constructor(clientMessages: readonly AgUiMessage[], items: Map<string, Item>, knownRetries: number) {
    this.#clientMessages = clientMessages;
    this.#knownRetries = knownRetries;
    this.#items = items;
    for (const message of clientMessages) {
      const { id, role, content, toolCallId } = message;
      if (typeof content === "string" && role !== "tool") this.#knownChars.set(id, content.length);
      if (toolCallId !== undefined) this.#answeredCalls.add(toolCallId);
      if (hasCallArguments(message)) this.#callsWithArguments.add(message.id);
    }
  }

  /** Folds a frame into the items and returns its events, possibly none. */
  encode(frame: Frame): RunEvent[] {
    const before = frame.event === "task_retrying" ? new Map(this.#items) : this.#items;
    applyEventToItems(this.#items, frame.seq, frame);
    const { data } = frame;
    const task = "task_id" in data ? (data.task_id ?? "") : "";
    // The log does not mark the end of a paragraph. A frame of the same task with another item ends it.
    const finished = this.#listOpenTexts(task).filter((id) => id !== data.item_id);
    return [...finished.flatMap((id) => this.#closeMessage(id)), ...this.#encodeFrame(frame, before)];
  }

  /** Returns the ids of the task's open texts and reasoning. */
  #listOpenTexts(task: string): string[] {
    return [...this.#openMessages].filter(([, open]) => open.task === task && open.kind !== "call").map(([id]) => id);
  }

  /** Closes all open messages, and gives a result to calls that have none. */
  close(): RunEvent[] {
    const ended = [...this.#openMessages.keys()].flatMap((id) => this.#closeMessage(id));
    const unanswered = [...this.#callIds].filter((id) => !this.#answeredCalls.has(id));
    return [...ended, ...unanswered.flatMap((id) => this.#encodeCallResult(id, NO_RESULT_TEXT))];
  }

  #encodeFrame(frame: Frame, before: ReadonlyMap<string, Item>): RunEvent[] {
    switch (frame.event) {
      case "message_chunk":
        return this.#encodeText(frame.data, frame.data.payload.content);
      case "message":
      case "task_waiting":
      case "plan_require_user_input":
        return [...this.#encodeText(frame.data, frame.data.payload.content), ...this.#closeMessage(frame.data.item_id)];
      case "reasoning":
        return this.#encodeReasoning(frame.data, frame.data.payload.content);
      case "reasoning_completed":
        return this.#closeMessage(frame.data.item_id);
      case "tool_call_started":
        return [...this.#encodeCall(frame), ...this.#encodeLateArguments(frame.data.item_id)];
      case "tool_call_completed":
        return [...this.#encodeCompletedCall(frame), ...this.#encodeLateArguments(frame.data.item_id)];
      case "component_generator":
        this.#sentIds.add(frame.data.item_id);
        return [toActivity(frame.data)];
      case "verification_completed":
        return [{ type: "CUSTOM", name: frame.event, value: frame.data.payload }];
      case "task_retrying":
        return this.#encodeRetraction(frame.data.task_id, before);
      default:
        return [];
    }
  }

  /** Returns the part of a chunk that the client does not have. */
  #takeUnsent(id: string, text: string): string {
    const knownChars = this.#knownChars.get(id) ?? 0;
    if (knownChars > 0) this.#knownChars.set(id, Math.max(0, knownChars - text.length));
    return text.slice(knownChars);
  }

  /** Encodes a chunk or a complete text, and starts its message if necessary. */
  #encodeText(
    data: EventOf<"message_chunk">["data"] | EventOf<"plan_require_user_input">["data"],
    content: string,
  ): RunEvent[] {
    const { item_id: messageId, task_id = "", agent_name: name, role } = data;
    const delta = this.#takeUnsent(messageId, content);
    this.#sentIds.add(messageId);
    if (delta === "") return [];
    const isOpen = this.#openMessages.has(messageId);
    this.#openMessages.set(messageId, { kind: "text", task: task_id });
    const start: RunEvent = {
      type: "TEXT_MESSAGE_START",
      messageId,
      role: role === "user" ? "user" : "assistant",
      ...(name === undefined ? {} : { name }),
      ...toOriginMetadata(data),
    };
    return [...(isOpen ? [] : [start]), { type: "TEXT_MESSAGE_CONTENT", messageId, delta }];
  }

  #encodeReasoning(data: EventOf<"reasoning">["data"], content: string): RunEvent[] {
    const { item_id: messageId, task_id: task } = data;
    const delta = this.#takeUnsent(messageId, content);
    this.#sentIds.add(messageId);
    if (delta === "") return [];
    const isOpen = this.#openMessages.has(messageId);
    this.#openMessages.set(messageId, { kind: "reasoning", task });
    const start: RunEvent[] = [
      { type: "REASONING_START", messageId },
      { type: "REASONING_MESSAGE_START", messageId, role: "reasoning", ...toOriginMetadata(data) },
    ];
    return [...(isOpen ? [] : start), { type: "REASONING_MESSAGE_CONTENT", messageId, delta }];
  }

  /** Encodes a call. It stays open until its arguments are known, which may be as late as its result. */
  #encodeCall({ data }: EventOf<"tool_call_started"> | EventOf<"tool_call_completed">): RunEvent[] {
    const { item_id: toolCallId, payload, task_id: task } = data;
    this.#sentIds.add(toolCallId);
    const isNew = !this.#callIds.has(toolCallId);
    this.#callIds.add(toolCallId);
    if (this.#answeredCalls.has(toolCallId)) return [];
    if (isNew) this.#openMessages.set(toolCallId, { kind: "call", task });
    const { tool_arguments: delta = "" } = payload;
    const start: RunEvent = {
      type: "TOOL_CALL_START",
      toolCallId,
      toolCallName: payload.tool_name,
      ...toOriginMetadata(data),
    };
    const hasNews = delta !== "" && !this.#callsWithArguments.has(toolCallId) && this.#openMessages.has(toolCallId);
    if (hasNews) this.#callsWithArguments.add(toolCallId);
    return [
      ...(isNew ? [start] : []),
      ...(hasNews ? [{ type: "TOOL_CALL_ARGS", toolCallId, delta } as const] : []),
      ...(delta === "" ? [] : this.#closeMessage(toolCallId)),
    ];
  }

  /** Sends a snapshot for a call that was closed without arguments and got them in a retry. */
  #encodeLateArguments(id: string): RunEvent[] {
    const isEndedWithoutArguments =
      this.#callIds.has(id) && !this.#openMessages.has(id) && !this.#callsWithArguments.has(id);
    if (!isEndedWithoutArguments || !hasArguments(this.#items.get(id)?.payload)) return [];
    this.#callsWithArguments.add(id);
    return [this.#encodeSnapshot([])];
  }

  /** Encodes a completed call: its start and arguments if necessary, then its result. */
  #encodeCompletedCall(frame: EventOf<"tool_call_completed">): RunEvent[] {
    const { item_id: id, payload } = frame.data;
    return [
      ...this.#encodeCall(frame),
      ...this.#closeMessage(id),
      ...this.#encodeCallResult(id, formatToolResult(payload.tool_result), frame.data),
    ];
  }

  /** Returns the result of a call unless a result was sent. */
  #encodeCallResult(toolCallId: string, content: string, data?: EventOf<"tool_call_completed">["data"]): RunEvent[] {
    if (this.#answeredCalls.has(toolCallId)) return [];
    this.#answeredCalls.add(toolCallId);
    const origin = toOriginMetadata(data ?? this.#items.get(toolCallId) ?? {});
    return [
      { type: "TOOL_CALL_RESULT", messageId: toResultId(toolCallId), toolCallId, content, role: "tool", ...origin },
    ];
  }

  /** Closes a message or call; returns nothing if it is not open. */
  #closeMessage(id: string): RunEvent[] {
    const open = this.#openMessages.get(id);
    if (open === undefined) return [];
    this.#openMessages.delete(id);
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
  #encodeRetraction(task: string, before: ReadonlyMap<string, Item>): RunEvent[] {
    const removed = [...before.values()].filter(({ item_id: id }) => !this.#items.has(id) && this.#sentIds.has(id));
    const restored = [...this.#items.values()].filter((item) => before.get(item.item_id) !== item);
    const ended = [...this.#openMessages]
      .filter(([, open]) => open.task === task)
      .flatMap(([id]) => this.#closeMessage(id));
    const calls = removed.filter(({ item_id }) => this.#callIds.has(item_id));
    const answers = calls.flatMap(({ item_id }) => this.#encodeCallResult(item_id, NO_RESULT_TEXT));
    for (const { item_id } of removed) this.#forget(item_id);
    const isKnownRetry = this.#knownRetries > 0;
    this.#knownRetries -= 1;
    const hasLostMessages = this.#dropLostMessages(task, removed, isKnownRetry);
    for (const { item_id: id, event, payload } of restored) {
      // After a retry that the client knows, its messages are from after the retry.
      const clientVersions = isKnownRetry ? this.#clientMessages.filter((message) => getItemId(message) === id) : [];
      const hasResult = clientVersions.some(({ role }) => role === "tool");
      if (event === "tool_call_started" && !hasResult) this.#answeredCalls.delete(id);
      if (!hasArguments(payload) && !clientVersions.some(hasCallArguments)) this.#callsWithArguments.delete(id);
    }
    const shown = [
      ...removed.filter(isComponent).map(toEmptyActivity),
      ...restored.filter(isComponent).map(toActivity),
    ];
    const needsSnapshot = hasLostMessages || [...removed, ...restored].some((item) => !isComponent(item));
    const removedReasoning = removed.filter((item) => item.event === "reasoning" && getItemText(item) !== "");
    return [...ended, ...answers, ...shown, ...(needsSnapshot ? [this.#encodeSnapshot(removedReasoning)] : [])];
  }

  /** Forgets a removed item. A later item may reuse its id. */
  #forget(id: string): void {
    for (const ids of [this.#sentIds, this.#knownChars, this.#callIds, this.#answeredCalls, this.#callsWithArguments])
      ids.delete(id);
  }

  /** Removes retracted messages from the client's messages. True if there were any. */
  #dropLostMessages(task: string, removed: readonly Item[], isKnownRetry: boolean): boolean {
    const removedIds = new Set(removed.map(({ item_id }) => item_id));
    const isLost = (message: AgUiMessage): boolean => {
      const item = this.#items.get(getItemId(message));
      const exists = message.role === "tool" ? item?.event === "tool_call_completed" : item !== undefined;
      return removedIds.has(getItemId(message)) || (!isKnownRetry && belongsToTask(message, task) && !exists);
    };
    const before = this.#clientMessages;
    this.#clientMessages = before.filter((message) => !isLost(message));
    for (const message of before.filter(isLost)) {
      if (this.#items.has(getItemId(message))) this.#answeredCalls.delete(getItemId(message));
      else this.#forget(getItemId(message));
    }
    return this.#clientMessages.length < before.length;
  }

  /** True if the item was sent completely and with everything that the client had of it. */
  #isComplete({ item_id: id, payload }: Item): boolean {
    if (!this.#sentIds.has(id) || (this.#knownChars.get(id) ?? 0) > 0) return false;
    return hasArguments(payload) || !this.#callsWithArguments.has(id);
  }

  /**
   * Returns a snapshot of all messages. If it would contain no reasoning, removed reasoning is included empty: clients
   * keep their reasoning if a snapshot has none.
   */
  #encodeSnapshot(removedReasoning: readonly Item[]): RunEvent {
    const current = [...this.#items.values()].filter((item) => this.#isComplete(item)).flatMap(toMessages);
    const ids = new Set(current.map(({ id }) => id));
    const messages = [...this.#clientMessages.filter(({ id }) => !ids.has(id)), ...current].filter(
      ({ role }) => role !== "activity",
    );
    const hasNoReasoning = !messages.some(({ role }) => role === "reasoning");
    const emptied = removedReasoning.map(({ item_id: id }) => ({ id, role: "reasoning", content: "" }));
    return { type: "MESSAGES_SNAPSHOT", messages: hasNoReasoning ? [...messages, ...emptied] : messages };
  }
}

/** True for a message that is a call with arguments. */
function hasCallArguments({ toolCalls: [call] = [] }: AgUiMessage): boolean {
  return (call?.function.arguments ?? "") !== "";
}

/** Returns the id of the item that a message belongs to. */
function getItemId({ id, toolCallId }: AgUiMessage): string {
  return toolCallId ?? id;
}

/** True if the message belongs to the task. The origin of a call is at the call. */
function belongsToTask({ metadata, toolCalls: [call] = [] }: AgUiMessage, task: string): boolean {
  return (metadata ?? call?.metadata)?.["task_id"] === task;
}

function hasArguments(payload: Item["payload"] | undefined): boolean {
  return (payload?.["tool_arguments"] ?? "") !== "";
}
