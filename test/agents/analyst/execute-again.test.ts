import { describe, expect, test } from "vitest";
import { ensurePresent } from "../../../src/protocol/assert.ts";
import { toolsOf } from "./classroom.ts";
import { blueprintOf, lastOf, run, saying } from "./stage.ts";
import { ADVICE, blockOf, blocksOf, byPrompt, promptOf, slotsIn, three } from "./texts.ts";

describe("[F115] a page made from an earlier one", () => {
  const before = async () => {
    const model = byPrompt({
      "Say how it went": { text: "It went well." },
      "Advise, after": { text: ADVICE },
      "Close kindly": { text: "Good luck." },
    });
    const { page, snapshot } = await run({ blueprint: three(), model });
    return { page: ensurePresent(page, "page"), snapshot: JSON.parse(JSON.stringify(snapshot)) as typeof snapshot };
  };

  test("calls neither tools nor the model where only its look changes", async () => {
    const previous = { ...(await before()), recompose: [] };
    const blueprint = three();
    const slots = ensurePresent(blueprint.uiComposition.tabs[0], "tab").slots;
    slots.reverse();
    ensurePresent(
      slots.find(({ id }) => id === "chart"),
      "chart",
    ).props = { variant: "line", title: "Curve" };
    const model = saying("never");
    const tools = toolsOf();
    const ran = await run({ blueprint, previous, model, tools });
    expect(lastOf(ran).message).toBe("completed");
    expect([model.asked, tools.calls]).toEqual([[], []]);
    expect(blocksOf(ran.page).map(({ id }) => id)).toEqual(["own", "advice", "table", "chart", "kpis", "text"]);
    expect(blockOf(ran.page, "chart")).toMatchObject({ variant: "line", title: "Curve" });
    expect(blockOf(ran.page, "text")).toMatchObject({ content: "It went well." });
    expect(blockOf(ran.page, "advice")).toMatchObject({ type: "suggestion_list", items: [{ title: "Retest" }] });
  });

  test("has the named texts written anew, and leaves the others", async () => {
    const previous = { ...(await before()), recompose: ["own"] };
    const model = saying("Keep it up.");
    const { page } = await run({ blueprint: three(), previous, model });
    expect(model.asked).toHaveLength(1);
    expect(blockOf(page, "own")).toMatchObject({ content: "Keep it up." });
    expect(blockOf(page, "text")).toMatchObject({ content: "It went well." });
  });

  test("writes an advice anew from the text that stays", async () => {
    const previous = { ...(await before()), recompose: ["advice"] };
    const model = saying('["More practice"]');
    const { page } = await run({ blueprint: three(), previous, model });
    expect(promptOf(ensurePresent(model.asked[0], "asked"))).toContain("It went well.");
    expect(blockOf(page, "advice")).toMatchObject({ items: [{ title: "More practice" }] });
  });

  test("asks the tools what they were not asked before", async () => {
    const previous = { ...(await before()), recompose: [] };
    const blueprint = three();
    blueprint.computeGraph.nodes.push({
      id: "other",
      type: "tool",
      toolName: "calculate_stats",
      toolArgs: { data: [1, 2] },
      dependsOn: [],
      outputKey: "other",
    });
    const tools = toolsOf();
    await run({ blueprint, previous, tools });
    expect(tools.calls).toEqual([{ name: "calculate_stats", args: { data: [1, 2] } }]);
  });

  test("tells long lists apart that begin in the same way", async () => {
    const list = (last: number) => [...Array.from({ length: 60 }, () => 1), last];
    const blueprint = blueprintOf((input) => {
      input.computeGraph.nodes.push(
        ...[5, 9].map((last) => ({
          id: `n${last}`,
          type: "tool",
          toolName: "calculate_stats",
          toolArgs: { data: list(last) },
          outputKey: `n${last}`,
        })),
      );
      slotsIn(input).push(
        ...[5, 9].map((last) => ({ id: `k${last}`, componentType: "kpi_grid", dataBinding: `$compute.n${last}.max` })),
      );
    });
    const first = await run({ blueprint });
    const previous = { page: ensurePresent(first.page, "page"), snapshot: first.snapshot, recompose: [] };
    const { page } = await run({ blueprint, previous });
    expect([blockOf(page, "k5"), blockOf(page, "k9")]).toMatchObject([
      { data: [{ value: "5" }] },
      { data: [{ value: "9" }] },
    ]);
  });
});
