import { describe, expect, test } from "vitest";
import { ensurePresent } from "../../../src/lib/assert.ts";
import { createTools } from "./classroom.ts";
import { createBlueprint, getCompleteEvent, runExecution, createTextModel } from "./run-execution.ts";
import {
  ADVICE_JSON,
  getBlock,
  listBlocks,
  createModelByPrompt,
  getPrompt,
  getSlots,
  createThreeTexts,
} from "./text-blueprint.ts";

describe("[F115] a page built from an earlier one", () => {
  const buildPrevious = async () => {
    const model = createModelByPrompt({
      "Say how it went": { text: "It went well." },
      "Advise, after": { text: ADVICE_JSON },
      "Close kindly": { text: "Good luck." },
    });
    const { page, snapshot } = await runExecution({ blueprint: createThreeTexts(), model });
    return { page: ensurePresent(page, "page"), snapshot: JSON.parse(JSON.stringify(snapshot)) as typeof snapshot };
  };

  test("calls neither tools nor the model where only its layout changes", async () => {
    const previous = { ...(await buildPrevious()), recompose: [] };
    const blueprint = createThreeTexts();
    const slots = ensurePresent(blueprint.uiComposition.tabs[0], "tab").slots;
    slots.reverse();
    ensurePresent(
      slots.find(({ id }) => id === "chart"),
      "chart",
    ).props = { variant: "line", title: "Curve" };
    const model = createTextModel("never");
    const tools = createTools();
    const ran = await runExecution({ blueprint, previous, model, tools });
    expect(getCompleteEvent(ran).message).toBe("completed");
    expect([model.requests, tools.calls]).toEqual([[], []]);
    expect(listBlocks(ran.page).map(({ id }) => id)).toEqual(["own", "advice", "table", "chart", "kpis", "text"]);
    expect(getBlock(ran.page, "chart")).toMatchObject({ variant: "line", title: "Curve" });
    expect(getBlock(ran.page, "text")).toMatchObject({ content: "It went well." });
    expect(getBlock(ran.page, "advice")).toMatchObject({ type: "suggestion_list", items: [{ title: "Retest" }] });
  });

  test("rewrites the named texts and keeps the others", async () => {
    const previous = { ...(await buildPrevious()), recompose: ["own"] };
    const model = createTextModel("Keep it up.");
    const { page } = await runExecution({ blueprint: createThreeTexts(), previous, model });
    expect(model.requests).toHaveLength(1);
    expect(getBlock(page, "own")).toMatchObject({ content: "Keep it up." });
    expect(getBlock(page, "text")).toMatchObject({ content: "It went well." });
  });

  test("rewrites an advice from the text that stays", async () => {
    const previous = { ...(await buildPrevious()), recompose: ["advice"] };
    const model = createTextModel('["More practice"]');
    const { page } = await runExecution({ blueprint: createThreeTexts(), previous, model });
    expect(getPrompt(ensurePresent(model.requests[0], "asked"))).toContain("It went well.");
    expect(getBlock(page, "advice")).toMatchObject({ items: [{ title: "More practice" }] });
  });

  test("calls only the tools that were not called before", async () => {
    const previous = { ...(await buildPrevious()), recompose: [] };
    const blueprint = createThreeTexts();
    blueprint.computeGraph.nodes.push({
      id: "other",
      type: "tool",
      toolName: "calculate_stats",
      toolArgs: { data: [1, 2] },
      dependsOn: [],
      outputKey: "other",
    });
    const tools = createTools();
    await runExecution({ blueprint, previous, tools });
    expect(tools.calls).toEqual([{ name: "calculate_stats", args: { data: [1, 2] } }]);
  });

  test("distinguishes long lists that begin alike", async () => {
    const list = (last: number) => [...Array.from({ length: 60 }, () => 1), last];
    const blueprint = createBlueprint((input) => {
      input.computeGraph.nodes.push(
        ...[5, 9].map((last) => ({
          id: `n${last}`,
          type: "tool",
          toolName: "calculate_stats",
          toolArgs: { data: list(last) },
          outputKey: `n${last}`,
        })),
      );
      getSlots(input).push(
        ...[5, 9].map((last) => ({ id: `k${last}`, componentType: "kpi_grid", dataBinding: `$compute.n${last}.max` })),
      );
    });
    const first = await runExecution({ blueprint });
    const previous = { page: ensurePresent(first.page, "page"), snapshot: first.snapshot, recompose: [] };
    const { page } = await runExecution({ blueprint, previous });
    expect([getBlock(page, "k5"), getBlock(page, "k9")]).toMatchObject([
      { data: [{ value: "5" }] },
      { data: [{ value: "9" }] },
    ]);
  });
});
