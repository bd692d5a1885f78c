// The messages of a run as they grow. What the client has already is not said again, so that a run may be told twice.

import type { EventOf, Frame } from "../../protocol/events.ts";
import { shapeItems, textOf, type Item } from "../../protocol/items.ts";
import { activityOf, emptyOf, isComponent } from "./activities.ts";
import type { Message, RunEvent } from "./events.ts";
import { madeBy, messagesOf, resultId, resultIn } from "./transcript.ts";

type Open = { readonly kind: "text" | "reasoning" | "call"; readonly task: string };

/** What a call says when its work ended before there was a result: else clients take it for one that they should answer. */
const NO_RESULT = "There is no result: the work ended before it.";

export class Telling {
  readonly #items: Map<string, Item>;
  /** What the client had before this run. */
  #had: readonly Message[];
  /** Characters of a text that the client has and that are still to come by. */
  readonly #unheard = new Map<string, number>();
  readonly #open = new Map<string, Open>();
  readonly #told = new Set<string>();
  /** Calls whose result the client has, or is not to wait for. */
  readonly #answered = new Set<string>();
  readonly #calls = new Set<string>();
  /** Calls whose arguments the client has. */
  readonly #argued = new Set<string>();
  #heardRetries: number;

  /** `retried` tells how often the client has heard already that work of the thread began anew. */
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

  hear(frame: Frame): RunEvent[] {
    const before = frame.event === "task_retrying" ? new Map(this.#items) : this.#items;
    shapeItems(this.#items, frame.seq, frame);
    const { data } = frame;
    const task = "task_id" in data ? (data.task_id ?? "") : "";
    // Nothing says that a paragraph is over but what comes after it.
    const over = this.#wordsOf(task).filter((id) => id !== data.item_id);
    return [...over.flatMap((id) => this.#end(id)), ...this.#said(frame, before)];
  }

  /** The texts of a task that are open. */
  #wordsOf(task: string): string[] {
    return [...this.#open].filter(([, open]) => open.task === task && open.kind !== "call").map(([id]) => id);
  }

  /** Ends whatever is open. */
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

  /** What of a piece of text the client does not have yet. */
  #news(id: string, text: string): string {
    const unheard = this.#unheard.get(id) ?? 0;
    if (unheard > 0) this.#unheard.set(id, Math.max(0, unheard - text.length));
    return text.slice(unheard);
  }

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

  /** A call is open until its arguments are known, which may be with its result. */
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

  /** A call that has ended without arguments, and has some since its work began anew, can only be shown once more. */
  #late(id: string): RunEvent[] {
    const isLate = this.#calls.has(id) && !this.#open.has(id) && !this.#argued.has(id);
    if (!isLate || !hasArguments(this.#items.get(id)?.payload)) return [];
    this.#argued.add(id);
    return [this.#snapshot([])];
  }

  #result(frame: EventOf<"tool_call_completed">): RunEvent[] {
    const { item_id: id, payload } = frame.data;
    return [...this.#call(frame), ...this.#end(id), ...this.#answer(id, resultIn(payload.tool_result), frame.data)];
  }

  #answer(toolCallId: string, content: string, data?: EventOf<"tool_call_completed">["data"]): RunEvent[] {
    if (this.#answered.has(toolCallId)) return [];
    this.#answered.add(toolCallId);
    const origin = madeBy(data ?? this.#items.get(toolCallId) ?? {});
    return [
      { type: "TOOL_CALL_RESULT", messageId: resultId(toolCallId), toolCallId, content, role: "tool", ...origin },
    ];
  }

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
   * AG-UI takes nothing back, but a snapshot says which messages there are. Components are no part of it: clients
   * keep theirs, so those are told as they were before, or emptied.
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
      // What the client had of it, where it has heard of this, is from after it.
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

  /** What is said anew may have the same id. */
  #forget(id: string): void {
    for (const known of [this.#told, this.#unheard, this.#calls, this.#answered, this.#argued]) known.delete(id);
  }

  /** Whether something of what the client had before this run is taken back. */
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

  /** Told, and not less than what the client had of it. */
  #isKnown({ item_id: id, payload }: Item): boolean {
    if (!this.#told.has(id) || (this.#unheard.get(id) ?? 0) > 0) return false;
    return hasArguments(payload) || !this.#argued.has(id);
  }

  /** Clients keep their reasoning when a snapshot has none at all; then what was taken back is left in it, empty. */
  #snapshot(lostThoughts: readonly Item[]): RunEvent {
    const said = [...this.#items.values()].filter((item) => this.#isKnown(item)).flatMap(messagesOf);
    const ids = new Set(said.map(({ id }) => id));
    const messages = [...this.#had.filter(({ id }) => !ids.has(id)), ...said].filter(({ role }) => role !== "activity");
    const isThoughtless = !messages.some(({ role }) => role === "reasoning");
    const emptied = lostThoughts.map(({ item_id: id }) => ({ id, role: "reasoning", content: "" }));
    return { type: "MESSAGES_SNAPSHOT", messages: isThoughtless ? [...messages, ...emptied] : messages };
  }
}

/** A message that is a call, with its arguments. */
function isArgued({ toolCalls: [call] = [] }: Message): boolean {
  return (call?.function.arguments ?? "") !== "";
}

/** Of the item that a message is of. */
function idOf({ id, toolCallId }: Message): string {
  return toolCallId ?? id;
}

/** A message that is a call has its origin with the call. */
function isOf({ metadata, toolCalls: [call] = [] }: Message, task: string): boolean {
  return (metadata ?? call?.metadata)?.["task_id"] === task;
}

function hasArguments(payload: Item["payload"] | undefined): boolean {
  return (payload?.["tool_arguments"] ?? "") !== "";
}
