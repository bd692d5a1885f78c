// Translates the events of a page to agent events: tool calls, a notification for each phase, and one component that
// grows block by block (X9).

import { ensurePresent } from "../../../lib/assert.ts";
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
  // Calls run concurrently, but those with one id run one after the other.
  const openCalls = new Map<string | undefined, { call_id: string; tool: string; arguments: string }>();
  const blocks = new Map<string, PageBlock>();
  let isFound = true;
  let chars = 0;
  for await (const event of events) {
    switch (event.type) {
      case "PHASE":
        yield { type: "notification", text: event.message };
        break;
      case "TOOL_CALL": {
        const call = { call_id: createId("call"), tool: event.tool, arguments: JSON.stringify(event.args) };
        openCalls.set(event.callId, call);
        yield { type: "tool_started", ...call };
        break;
      }
      case "TOOL_RESULT": {
        const { status, result, error } = event;
        const call = ensurePresent(openCalls.get(event.callId), "the start of a call");
        yield { type: "tool_completed", ...call, result: JSON.stringify({ status, error, result }) };
        break;
      }
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
