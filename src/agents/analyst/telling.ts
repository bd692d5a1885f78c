// Translates the events of a page to agent events: tool calls, a notification for each phase, and one component that
// grows block by block (X9).

import type { Blueprint } from "../../protocol/blueprint.ts";
import { mint } from "../../protocol/ids.ts";
import type { Block, PageEvent, PageSpec } from "../../protocol/page.ts";
import type { Said } from "../kit/agent.ts";

/**
 * Maximum characters of all intermediate versions of the component. They count towards the agent's output limit, so
 * later versions are skipped.
 */
const MOST_CHARS = 300_000;

/** The result of a page. `isFound` is false if a named thing does not exist. */
export type End = Extract<PageEvent, { type: "COMPLETE" }>["result"] & { readonly isFound: boolean };

/**
 * Yields the agent events of a page and returns its result; null if the events end without `COMPLETE`. Emits a version
 * of the component after each block, and the complete page at the end.
 */
export async function* told(
  events: AsyncIterable<PageEvent>,
  blueprint: Blueprint,
  componentId: string,
): AsyncGenerator<Said, End | null> {
  const calls: OpenCall[] = [];
  const blocks = new Map<string, Block>();
  let isFound = true;
  let chars = 0;
  for await (const event of events) {
    switch (event.type) {
      case "PHASE":
        yield { type: "notification", text: event.message };
        break;
      case "TOOL_CALL":
        yield begun(calls, event);
        break;
      case "TOOL_RESULT":
        yield ended(calls, event);
        break;
      case "BLOCK_COMPLETE": {
        blocks.set(event.blockId, event.block);
        const component = pageComponent(componentId, null, soFar(blueprint, blocks));
        chars += component.content.length;
        if (chars <= MOST_CHARS) yield component;
        break;
      }
      case "DATA_ERROR":
        isFound = false;
        break;
      case "COMPLETE":
        if (event.result.page !== null)
          yield pageComponent(componentId, event.result.pageId ?? null, event.result.page);
        return { ...event.result, isFound };
      // Growing text is shown once its block is complete.
      case "BLOCK_START":
      case "SLOT_DELTA":
      case "MESSAGE":
        break;
    }
  }
  return null;
}

type OpenCall = {
  readonly id: string;
  readonly callId: string | undefined;
  readonly tool: string;
  readonly args: string;
};
type Begun = Extract<PageEvent, { type: "TOOL_CALL" }>;
type Ended = Extract<PageEvent, { type: "TOOL_RESULT" }>;

/** Returns the event of a started call and remembers the call as open. */
function begun(calls: OpenCall[], { tool, args, callId }: Begun): Said {
  const call: OpenCall = { id: mint("call"), callId, tool, args: JSON.stringify(args) };
  calls.push(call);
  return { type: "tool_started", call_id: call.id, tool, arguments: call.args };
}

/**
 * Returns the event of a completed call and removes it from the open calls. Calls run concurrently: the result belongs
 * to the open call with its id, or to the oldest open call of its tool.
 */
function ended(calls: OpenCall[], { tool, callId, result, error, status }: Ended): Said {
  const at = calls.findIndex((call) => call.tool === tool && (callId === undefined || call.callId === callId));
  const [call] = at < 0 ? [] : calls.splice(at, 1);
  const answer = status === "error" ? { status, error } : result === undefined ? { status } : { status, result };
  const args = call === undefined ? {} : { arguments: call.args };
  return { type: "tool_completed", call_id: call?.id ?? mint("call"), tool, ...args, result: JSON.stringify(answer) };
}

function pageComponent(component_id: string, page_id: string | null, page: PageSpec) {
  return {
    type: "component",
    component_type: "page",
    component_id,
    content: JSON.stringify({ page_id, page }),
  } as const;
}

/** Returns the page with the blocks that are complete. */
function soFar({ name, description, uiComposition }: Blueprint, blocks: ReadonlyMap<string, Block>): PageSpec {
  const meta = { pageTitle: name, summary: description, generatedAt: new Date().toISOString(), dataSource: "" };
  const tabs = uiComposition.tabs.map(({ id, label, slots }) => ({
    id,
    label,
    blocks: slots.flatMap((slot) => blocks.get(slot.id) ?? []),
  }));
  return { meta, layout: uiComposition.layout, tabs };
}
