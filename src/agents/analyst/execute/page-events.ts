// Translates the events of a page to agent events: tool calls, a notification for each phase, and one component that
// grows block by block (X9).

import type { Blueprint } from "../../../protocol/pages/blueprint-schema.ts";
import { createId } from "../../../protocol/wire/ids.ts";
import type { PageBlock, PageEvent, PageSpec } from "../../../protocol/pages/page.ts";
import type { AgentRunEvent } from "../../kit/agent.ts";

/**
 * Maximum characters of all intermediate versions of the component. They count towards the agent's output limit, so
 * later versions are skipped.
 */
const MAX_COMPONENT_CHARS = 300_000;

/** The result of a page. `isFound` is false if a named thing does not exist. */
export type PageResult = Extract<PageEvent, { type: "COMPLETE" }>["result"] & { readonly isFound: boolean };

/**
 * Yields the agent events of a page and returns its result; null if the events end without `COMPLETE`. Yields a version
 * of the component after each block, up to 300,000 characters together, and the complete page at the end if there is
 * one. All versions have the id `componentId`.
 */
export async function* translatePageEvents(
  events: AsyncIterable<PageEvent>,
  blueprint: Blueprint,
  componentId: string,
): AsyncGenerator<AgentRunEvent, PageResult | null> {
  const calls: OpenPageCall[] = [];
  const blocks = new Map<string, PageBlock>();
  let isFound = true;
  let chars = 0;
  for await (const event of events) {
    switch (event.type) {
      case "PHASE":
        yield { type: "notification", text: event.message };
        break;
      case "TOOL_CALL":
        yield createToolStarted(calls, event);
        break;
      case "TOOL_RESULT":
        yield createToolCompleted(calls, event);
        break;
      case "BLOCK_COMPLETE": {
        blocks.set(event.blockId, event.block);
        const component = createPageComponent(componentId, null, createPartialPage(blueprint, blocks));
        chars += component.content.length;
        if (chars <= MAX_COMPONENT_CHARS) yield component;
        break;
      }
      case "DATA_ERROR":
        isFound = false;
        break;
      case "COMPLETE":
        if (event.result.page !== null)
          yield createPageComponent(componentId, event.result.pageId ?? null, event.result.page);
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

type OpenPageCall = {
  readonly id: string;
  readonly callId: string | undefined;
  readonly tool: string;
  readonly args: string;
};
type PageToolCallEvent = Extract<PageEvent, { type: "TOOL_CALL" }>;
type PageToolResultEvent = Extract<PageEvent, { type: "TOOL_RESULT" }>;

/** Returns the event of a started call and remembers the call as open. */
function createToolStarted(calls: OpenPageCall[], { tool, args, callId }: PageToolCallEvent): AgentRunEvent {
  const call: OpenPageCall = { id: createId("call"), callId, tool, args: JSON.stringify(args) };
  calls.push(call);
  return { type: "tool_started", call_id: call.id, tool, arguments: call.args };
}

/**
 * Returns the event of a completed call and removes it from the open calls. Calls run concurrently: the result belongs
 * to the open call with its id, or to the oldest open call of its tool.
 */
function createToolCompleted(
  calls: OpenPageCall[],
  { tool, callId, result, error, status }: PageToolResultEvent,
): AgentRunEvent {
  const at = calls.findIndex((call) => call.tool === tool && (callId === undefined || call.callId === callId));
  const [call] = at < 0 ? [] : calls.splice(at, 1);
  const answer = status === "error" ? { status, error } : result === undefined ? { status } : { status, result };
  const args = call === undefined ? {} : { arguments: call.args };
  return {
    type: "tool_completed",
    call_id: call?.id ?? createId("call"),
    tool,
    ...args,
    result: JSON.stringify(answer),
  };
}

function createPageComponent(component_id: string, page_id: string | null, page: PageSpec) {
  return {
    type: "component",
    component_type: "page",
    component_id,
    content: JSON.stringify({ page_id, page }),
  } as const;
}

/** Returns the page with the blocks that are complete. */
function createPartialPage(
  { name, description, uiComposition }: Blueprint,
  blocks: ReadonlyMap<string, PageBlock>,
): PageSpec {
  const meta = { pageTitle: name, summary: description, generatedAt: new Date().toISOString(), dataSource: "" };
  const tabs = uiComposition.tabs.map(({ id, label, slots }) => ({
    id,
    label,
    blocks: slots.flatMap((slot) => blocks.get(slot.id) ?? []),
  }));
  return { meta, layout: uiComposition.layout, tabs };
}
