// The state of a page that is being generated, folded from its events. All functions are pure.

import { unreachable } from "../../protocol/assert.ts";
import type { Blueprint } from "../../protocol/blueprint.ts";
import type { Block, ComponentType, PageEvent, PageSpec } from "../../protocol/page.ts";

export type Part =
  | { readonly status: "awaited"; readonly id: string; readonly type: ComponentType }
  /** The block of the previous version, until it is generated again. */
  | { readonly status: "old"; readonly id: string; readonly block: Block }
  /** `text` is the Markdown received so far. */
  | { readonly status: "begun"; readonly id: string; readonly type: ComponentType; readonly text: string }
  | { readonly status: "done"; readonly id: string; readonly block: Block };

export type Call = {
  readonly key: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly status: "running" | "success" | "error";
  readonly error?: string | undefined;
};

export type Outcome = {
  readonly page: PageSpec | null;
  readonly pageId: string | null;
  /** The reason why there is no page, or a remark about it. */
  readonly words: string;
};

export type Building = {
  readonly title: string;
  readonly phase: { readonly name: "data" | "compute" | "compose"; readonly message: string } | null;
  readonly tabs: readonly { readonly id: string; readonly label: string; readonly parts: readonly Part[] }[];
  readonly calls: readonly Call[];
  readonly messages: readonly string[];
  readonly problems: readonly { readonly message: string; readonly suggestions: readonly string[] }[];
  readonly outcome: Outcome | null;
};

/**
 * Returns the initial state. With a blueprint, every block has its position from the start, so that nothing moves
 * later; blocks of the previous `page` are shown until they are replaced.
 */
export function begun(blueprint: Blueprint | undefined, page?: PageSpec): Building {
  const old = new Map(page?.tabs.flatMap(({ blocks }) => blocks).map((block) => [block.id, block]));
  const tabs = blueprint?.uiComposition.tabs.map(({ id, label, slots }) => ({
    id,
    label,
    parts: slots.map((slot): Part => {
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

/** Folds one event into the state. */
export function heard(building: Building, event: PageEvent): Building {
  switch (event.type) {
    case "PHASE":
      return { ...building, phase: { name: event.phase, message: event.message } };
    case "TOOL_CALL":
      return { ...building, calls: [...building.calls, callOf(event, building.calls.length)] };
    case "TOOL_RESULT":
      return { ...building, calls: settled(building.calls, event) };
    case "BLOCK_START":
      return placed(building, { status: "begun", id: event.blockId, type: event.componentType, text: "" });
    case "SLOT_DELTA":
      return grown(building, event.blockId, event.deltaText);
    case "BLOCK_COMPLETE":
      return placed(building, { status: "done", id: event.blockId, block: event.block });
    case "MESSAGE":
      return { ...building, messages: [...building.messages, event.content] };
    case "DATA_ERROR":
      return { ...building, problems: [...building.problems, event] };
    case "COMPLETE": {
      const { page, pageId = null, chatResponse, response } = event.result;
      return { ...building, outcome: { page, pageId, words: chatResponse === "" ? response : chatResponse } };
    }
    default:
      return unreachable(event);
  }
}

function callOf({ tool, args, callId }: Extract<PageEvent, { type: "TOOL_CALL" }>, count: number): Call {
  return { key: `${callId ?? tool}:${count}`, tool, args, status: "running" };
}

/** Assigns a result to the first running call of that tool and, if given, call id. */
function settled(calls: readonly Call[], result: Extract<PageEvent, { type: "TOOL_RESULT" }>): Call[] {
  const { tool, callId, status, error } = result;
  const prefix = `${callId ?? tool}:`;
  const at = calls.findIndex((call) => call.status === "running" && call.tool === tool && call.key.startsWith(prefix));
  return calls.map((call, i) => (i === at ? { ...call, status, error } : call));
}

/** Puts a block into its position; at the end of the first tab if the blueprint has none. */
function placed(building: Building, part: Part): Building {
  const isKnown = building.tabs.some(({ parts }) => parts.some(({ id }) => id === part.id));
  if (isKnown) return changed(building, part.id, () => part);
  const tabs = building.tabs.map((tab, i) => (i === 0 ? { ...tab, parts: [...tab.parts, part] } : tab));
  return { ...building, tabs };
}

function grown(building: Building, id: string, text: string): Building {
  return changed(building, id, (part) => (part.status === "begun" ? { ...part, text: part.text + text } : part));
}

function changed(building: Building, id: string, change: (part: Part) => Part): Building {
  const tabs = building.tabs.map((tab) => ({
    ...tab,
    parts: tab.parts.map((part) => (part.id === id ? change(part) : part)),
  }));
  return { ...building, tabs };
}
