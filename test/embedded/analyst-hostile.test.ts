// Improbable messages and data for the analyst: read in bounded time and never with an exception.

import { describe, expect, test } from "vitest";
import { createRuleBlueprint, parseBlueprintChange } from "../../src/embedded/analyst/rule-blueprints.ts";
import { parseAnalysisData } from "../../src/embedded/analyst/analysis-data.ts";
import { describeResult } from "../../src/embedded/analyst/describe-results.ts";
import { routeFirstMessage, routePageMessage } from "../../src/embedded/analyst/analyst-routing.ts";
import { openLibrary } from "../support/dataset-library.ts";
import { getCpuMs } from "../support/cpu-time.ts";
import { startConversation } from "./analyst-conversation.ts";

const CHUNKS = [
  "by ",
  "按",
  "1A ",
  "rename to “",
  "name ",
  "加",
  "top 1 ",
  "各个",
  "compare ",
  "最高",
  "table, ",
  "a-001 ",
  "\n",
  "改",
];
const columns = Array.from({ length: 400 }, (_, i) => ({
  name: `column ${i} 列${i}`,
  type: i % 2 === 0 ? "number" : "text",
}));
const MATERIAL = parseAnalysisData(
  `Data that exists:\n\`\`\`json\n${JSON.stringify({
    teacher_id: "t-001",
    classes: [{ class_id: "c-1a", name: "Form 1A", students: ["Ann", "… 3 more #1"], assignments: [] }, "… 2 more #2"],
    datasets: [{ name: "wide", rows: 3, columns: [...columns, "… 3 more #3"] }, 7],
  })}\n\`\`\``,
);

describe("hostile input", () => {
  test.each(CHUNKS)("takes less than 2 s to read 12,000 characters of %j", (chunk) => {
    const text = chunk.repeat(Math.ceil(12_000 / chunk.length)).slice(0, 12_000);
    const start = getCpuMs();
    routeFirstMessage(text, MATERIAL);
    routePageMessage(text, MATERIAL, { name: "wide", description: "", blocks: [], changes: 1 });
    createRuleBlueprint(text, MATERIAL, "en");
    parseBlueprintChange(text, {}, MATERIAL, "zh");
    expect(getCpuMs() - start).toBeLessThan(2_000);
  });

  test("is read as far as it goes where the prompt truncated its lists", () => {
    expect(MATERIAL.classes).toMatchObject([{ name: "Form 1A" }]);
    expect(MATERIAL.datasets).toMatchObject([{ name: "wide" }]);
    expect(MATERIAL.datasets[0]?.columns).toHaveLength(400);
  });

  test("may name columns and tables like patterns, references or markup", async () => {
    const library = openLibrary();
    library.add("a.*(b", "c[+)?,<script>x</script>,$data.x\nred,1,2\nblue,3,4\n");
    const conversation = startConversation(library);
    const { action, page } = await conversation.send("summary of my data");
    expect(action).toBe("build_workflow");
    expect(page).not.toBeNull();
    expect(
      JSON.stringify(page?.tabs.flatMap((tab) => tab.blocks).filter(({ type }) => type === "markdown")),
    ).not.toContain("<script>");
  });

  test.each([
    [null],
    [7],
    [[]],
    [{ columns: 3, rows: [] }],
    [{ group_a: {}, group_b: {} }],
    [{ submissions: [null] }],
    [{ columns: [], rows: [[]] }],
  ])("with results of unknown shape, as %j, is not described", (value) => {
    expect(describeResult(value, [], "en").join("")).not.toMatch(/undefined|NaN|\[object/);
  });
});
