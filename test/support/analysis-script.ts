// What a scripted model says for analyses, and how pages are read from their streams.

import { expect } from "vitest";
import { pageEventSchema, type PageBlock, type PageEvent, type PageSpec } from "../../src/protocol/pages/page.ts";
import type { Reply } from "./model-reply.ts";
import type { Act, ModelServer } from "./model-server.ts";

export const route = (intent: string, confidence = 0.9, more: object = {}): Reply => ({
  calls: [{ name: "route", arguments: { intent, confidence, should_build: intent === "build_workflow", ...more } }],
});
export const wrote = (blueprint: object): Reply => ({ calls: [{ name: "create_blueprint", arguments: blueprint }] });
export const patched = (...operations: object[]): Reply => ({
  calls: [{ name: "patch_blueprint", arguments: { operations } }],
});

/** An assignment in numbers, with a text about them. */
export function blueprintFor(mark: string, { name = "Assignment", assignment = "a-001" } = {}) {
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

export async function eventsIn(response: Response): Promise<PageEvent[]> {
  const text = await response.text();
  expect(response.status, text).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const blocks = text.split("\n\n").filter((block) => block !== "" && !block.startsWith(":"));
  return blocks.map((block) => {
    expect(block).toMatch(/^data: \{.*\}$/);
    return pageEventSchema.parse(JSON.parse(block.slice(6)));
  });
}

export function endOf(events: readonly PageEvent[]) {
  const ends = events.flatMap((event) => (event.type === "COMPLETE" ? [event] : []));
  expect(ends).toHaveLength(1);
  expect(events.at(-1)?.type).toBe("COMPLETE");
  const [end] = ends;
  if (end === undefined) throw new Error("No end");
  return end;
}

/** An act for a whole analysis: `router` is what the router says in turn. */
export function analysis(model: ModelServer, routes: readonly Reply[], more: Act = {}): string {
  const answers = [...routes];
  return model.act({
    router: () => answers.shift() ?? route("chat"),
    blueprint: ({ mark }) => wrote(blueprintFor(mark)),
    compose: { text: "The mean is 74.2." },
    chat: { text: "Hello there." },
    page_chat: { text: "The mean is 74.2." },
    ...more,
  });
}

export const blocksOf = (page: PageSpec | null): readonly PageBlock[] =>
  page?.tabs.flatMap(({ blocks }) => blocks) ?? [];
