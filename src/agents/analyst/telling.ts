// The coming about of a page, as readers of a conversation see it: tool calls, a line for each phase, and one
// component that grows block by block (X9).

import type { Blueprint } from "../../protocol/blueprint.ts";
import { mint } from "../../protocol/ids.ts";
import type { Block, PageEvent, PageSpec } from "../../protocol/page.ts";
import type { Said } from "../kit/agent.ts";

/** Characters of all versions of the component that come before the last one: they count as what an agent says. */
const MOST_CHARS = 300_000;

export type End = Extract<PageEvent, { type: "COMPLETE" }>["result"] & { readonly isFound: boolean };

/** Tells everything but the end, which it returns. `isFound` is false when something that was asked for does not exist. */
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
      // What grows within a block is shown once the block is done.
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

function begun(calls: OpenCall[], { tool, args, callId }: Begun): Said {
  const call: OpenCall = { id: mint("call"), callId, tool, args: JSON.stringify(args) };
  calls.push(call);
  return { type: "tool_started", call_id: call.id, tool, arguments: call.args };
}

/** Calls run side by side: an answer belongs to the call of its id, or to the oldest open one of its tool. */
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

/** The page with the blocks that are done. */
function soFar({ name, description, uiComposition }: Blueprint, blocks: ReadonlyMap<string, Block>): PageSpec {
  const meta = { pageTitle: name, summary: description, generatedAt: new Date().toISOString(), dataSource: "" };
  const tabs = uiComposition.tabs.map(({ id, label, slots }) => ({
    id,
    label,
    blocks: slots.flatMap((slot) => blocks.get(slot.id) ?? []),
  }));
  return { meta, layout: uiComposition.layout, tabs };
}
