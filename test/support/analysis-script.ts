// Model replies for analyses, and helpers that read page event streams.

import { expect } from "vitest";
import { pageEventSchema, type PageBlock, type PageEvent, type PageSpec } from "../../src/protocol/pages/page.ts";
import type { ModelReply } from "./model-reply.ts";
import type { ModelScript, ModelServer } from "./model-server.ts";

export const replyWithRoute = (intent: string, confidence = 0.9, more: object = {}): ModelReply => ({
  calls: [{ name: "route", arguments: { intent, confidence, should_build: intent === "build_workflow", ...more } }],
});
export const replyWithBlueprint = (blueprint: object): ModelReply => ({
  calls: [{ name: "create_blueprint", arguments: blueprint }],
});
export const replyWithPatch = (...operations: object[]): ModelReply => ({
  calls: [{ name: "patch_blueprint", arguments: { operations } }],
});

/** Returns a blueprint for one assignment: statistics and a text about them. */
export function createBlueprint(mark: string, { name = "Assignment", assignment = "a-001" } = {}) {
  return {
    name,
    description: "How the assignment went.",
    dataContract: {
      bindings: [
        {
          id: "work",
          toolName: "get_assignment_submissions",
          paramMapping: { teacher_id: "$context.teacherId", assignment_id: assignment },
        },
      ],
    },
    computeGraph: {
      nodes: [
        {
          id: "stats",
          type: "tool",
          toolName: "calculate_stats",
          toolArgs: { data: "$data.work.scores" },
          outputKey: "stats",
        },
        {
          id: "words",
          type: "ai",
          promptTemplate: `${mark} Say what stands out in $compute.stats.`,
          outputKey: "words",
        },
      ],
    },
    uiComposition: {
      layout: "single_page",
      tabs: [
        {
          id: "all",
          label: "All",
          slots: [
            { id: "figures", componentType: "kpi_grid", dataBinding: "$compute.stats" },
            {
              id: "spread",
              componentType: "chart",
              dataBinding: "$compute.stats.distribution",
              props: { title: "Spread", variant: "bar" },
            },
            { id: "rows", componentType: "table", dataBinding: "$data.work.submissions", props: { title: "Students" } },
            { id: "says", componentType: "markdown", dataBinding: "$compute.words", aiContentSlot: true },
          ],
        },
      ],
    },
  };
}

export async function readPageEvents(response: Response): Promise<PageEvent[]> {
  const text = await response.text();
  expect(response.status, text).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const blocks = text.split("\n\n").filter((block) => block !== "" && !block.startsWith(":"));
  return blocks.map((block) => {
    expect(block).toMatch(/^data: \{.*\}$/);
    return pageEventSchema.parse(JSON.parse(block.slice(6)));
  });
}

export function getCompleteEvent(events: readonly PageEvent[]) {
  const ends = events.flatMap((event) => (event.type === "COMPLETE" ? [event] : []));
  expect(ends).toHaveLength(1);
  expect(events.at(-1)?.type).toBe("COMPLETE");
  const [end] = ends;
  if (end === undefined) throw new Error("No COMPLETE event");
  return end;
}

/**
 * Registers a script for a complete analysis and returns its marker. `routes` are the replies of the router, in order.
 */
export function scriptAnalysis(model: ModelServer, routes: readonly ModelReply[], more: ModelScript = {}): string {
  const answers = [...routes];
  return model.addScript({
    router: () => answers.shift() ?? replyWithRoute("chat"),
    blueprint: ({ mark }) => replyWithBlueprint(createBlueprint(mark)),
    compose: { text: "The mean is 74.2." },
    chat: { text: "Hello there." },
    page_chat: { text: "The mean is 74.2." },
    ...more,
  });
}

export const listBlocks = (page: PageSpec | null): readonly PageBlock[] =>
  page?.tabs.flatMap(({ blocks }) => blocks) ?? [];
