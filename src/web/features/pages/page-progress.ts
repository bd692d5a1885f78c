// The state of a page that is being generated, folded from its events. All functions are pure.

import { assertNever } from "../../../lib/assert.ts";
import type { Blueprint } from "../../../protocol/pages/blueprint-schema.ts";
import type { PageBlock, ComponentType, PageEvent, PageSpec } from "../../../protocol/pages/page.ts";

/** A block of the page that is built. `id` is the block id. */
export type PagePart =
  | { readonly status: "awaited"; readonly id: string; readonly type: ComponentType }
  /** The block of the previous version, until it is generated again. */
  | { readonly status: "old"; readonly id: string; readonly block: PageBlock }
  /** `text` is the Markdown received so far. */
  | { readonly status: "begun"; readonly id: string; readonly type: ComponentType; readonly text: string }
  | { readonly status: "done"; readonly id: string; readonly block: PageBlock };

export type PageBuildToolCall = {
  readonly key: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly status: "running" | "success" | "error";
  readonly error?: string | undefined;
};

export type PageOutcome = {
  /** Null if no page was built. */
  readonly page: PageSpec | null;
  /** Null if the page is not stored. */
  readonly pageId: string | null;
  /** The reason why there is no page, or a remark about it. */
  readonly words: string;
};

/** `messages` are Markdown texts of the analyst; `problems` are errors of the data, with names that exist instead. */
export type PageProgress = {
  readonly title: string;
  readonly phase: { readonly name: "data" | "compute" | "compose"; readonly message: string } | null;
  readonly tabs: readonly { readonly id: string; readonly label: string; readonly parts: readonly PagePart[] }[];
  readonly calls: readonly PageBuildToolCall[];
  readonly messages: readonly string[];
  readonly problems: readonly { readonly message: string; readonly suggestions: readonly string[] }[];
  /** Null until the build is complete. */
  readonly outcome: PageOutcome | null;
};

/**
 * Returns the initial state. With a blueprint, every block has its position from the start, so that nothing moves
 * later; blocks of the previous `page` are shown until they are replaced.
 */
export function createPageProgress(blueprint: Blueprint | undefined, page?: PageSpec): PageProgress {
  const old = new Map(page?.tabs.flatMap(({ blocks }) => blocks).map((block) => [block.id, block]));
  const tabs = blueprint?.uiComposition.tabs.map(({ id, label, slots }) => ({
    id,
    label,
    parts: slots.map((slot): PagePart => {
      const block = old.get(slot.id);
      return block === undefined
        ? { status: "awaited", id: slot.id, type: slot.componentType }
        : { status: "old", id: slot.id, block };
    }),
  }));
  return {
    title: blueprint?.name ?? "",
    phase: null,
    tabs: tabs ?? [{ id: "page", label: "", parts: [] }],
    calls: [],
    messages: [],
    problems: [],
    outcome: null,
  };
}

/** Returns the state after an event. A delta for a block that has not begun changes nothing. */
export function applyPageEvent(progress: PageProgress, event: PageEvent): PageProgress {
  switch (event.type) {
    case "PHASE":
      return { ...progress, phase: { name: event.phase, message: event.message } };
    case "TOOL_CALL":
      return { ...progress, calls: [...progress.calls, toPageToolCall(event, progress.calls.length)] };
    case "TOOL_RESULT":
      return { ...progress, calls: completeToolCall(progress.calls, event) };
    case "BLOCK_START":
      return placePart(progress, { status: "begun", id: event.blockId, type: event.componentType, text: "" });
    case "SLOT_DELTA":
      return appendPartText(progress, event.blockId, event.deltaText);
    case "BLOCK_COMPLETE":
      return placePart(progress, { status: "done", id: event.blockId, block: event.block });
    case "MESSAGE":
      return { ...progress, messages: [...progress.messages, event.content] };
    case "DATA_ERROR":
      return { ...progress, problems: [...progress.problems, event] };
    case "COMPLETE": {
      const { page, pageId = null, chatResponse, response } = event.result;
      return { ...progress, outcome: { page, pageId, words: chatResponse === "" ? response : chatResponse } };
    }
    default:
      return assertNever(event);
  }
}

function toPageToolCall(
  { tool, args, callId }: Extract<PageEvent, { type: "TOOL_CALL" }>,
  count: number,
): PageBuildToolCall {
  return { key: `${callId ?? tool}:${count}`, tool, args, status: "running" };
}

/** Assigns a result to the first running call of that tool and, if given, call id. */
function completeToolCall(
  calls: readonly PageBuildToolCall[],
  result: Extract<PageEvent, { type: "TOOL_RESULT" }>,
): PageBuildToolCall[] {
  const { tool, callId, status, error } = result;
  const prefix = `${callId ?? tool}:`;
  const at = calls.findIndex((call) => call.status === "running" && call.tool === tool && call.key.startsWith(prefix));
  return calls.map((call, i) => (i === at ? { ...call, status, error } : call));
}

/** Puts a block into its position; at the end of the first tab if the blueprint has none. */
function placePart(progress: PageProgress, part: PagePart): PageProgress {
  const isKnown = progress.tabs.some(({ parts }) => parts.some(({ id }) => id === part.id));
  if (isKnown) return updatePart(progress, part.id, () => part);
  const tabs = progress.tabs.map((tab, i) => (i === 0 ? { ...tab, parts: [...tab.parts, part] } : tab));
  return { ...progress, tabs };
}

function appendPartText(progress: PageProgress, id: string, text: string): PageProgress {
  return updatePart(progress, id, (part) => (part.status === "begun" ? { ...part, text: part.text + text } : part));
}

function updatePart(progress: PageProgress, id: string, change: (part: PagePart) => PagePart): PageProgress {
  const tabs = progress.tabs.map((tab) => ({
    ...tab,
    parts: tab.parts.map((part) => (part.id === id ? change(part) : part)),
  }));
  return { ...progress, tabs };
}
