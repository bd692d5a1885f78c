import { describe, expect, test } from "vitest";
import { ensurePresent } from "../../../src/lib/assert.ts";
import { checkBlueprint } from "../../../src/agents/analyst/blueprint/blueprint-check.ts";
import { createDataTools } from "../../../src/agents/analyst/data-tools.ts";
import { pageSpecSchema } from "../../../src/protocol/pages/page.ts";
import { openLibrary } from "../../support/dataset-library.ts";
import { SCORES, createTools, type BlueprintPart } from "./classroom.ts";
import { createBlueprint, getCompleteEvent, filterByType, runExecution, createTextModel } from "./run-execution.ts";
import { getBlock, getSlots, listBlocks } from "./text-blueprint.ts";

describe("[F109] the event stream of an execution", () => {
  test("has three phases and ends with one COMPLETE that holds the page", async () => {
    const ran = await runExecution({ model: createTextModel("The average is 74.2.") });
    expect(ran.types).toEqual([
      "PHASE",
      "TOOL_CALL",
      "TOOL_RESULT",
      "PHASE",
      "TOOL_CALL",
      "TOOL_RESULT",
      "PHASE",
      ...["kpis", "chart", "table"].flatMap(() => ["BLOCK_START", "BLOCK_COMPLETE"]),
      "BLOCK_START",
      "SLOT_DELTA",
      "BLOCK_COMPLETE",
      "MESSAGE",
      "COMPLETE",
    ]);
    expect(filterByType(ran.events, "PHASE").map(({ phase }) => phase)).toEqual(["data", "compute", "compose"]);
    expect(filterByType(ran.events, "BLOCK_START").map(({ blockId }) => blockId)).toEqual([
      "kpis",
      "chart",
      "table",
      "text",
    ]);
    expect(getCompleteEvent(ran)).toMatchObject({
      message: "completed",
      progress: 100,
      result: { response: "The average is 74.2.", chatResponse: "The average is 74.2.", page: ran.page },
    });
    expect(filterByType(ran.events, "MESSAGE")).toEqual([{ type: "MESSAGE", content: "The average is 74.2." }]);
  });

  test("[F110] [F111] reports calls with resolved arguments, and computed results", async () => {
    const { events } = await runExecution();
    expect(filterByType(events, "TOOL_CALL")).toEqual([
      {
        type: "TOOL_CALL",
        tool: "get_assignment_submissions",
        args: { teacher_id: "t-001", assignment_id: "a-001" },
        callId: "submissions",
      },
      { type: "TOOL_CALL", tool: "calculate_stats", args: { data: SCORES }, callId: "stats" },
    ]);
    expect(filterByType(events, "TOOL_RESULT")).toMatchObject([
      { tool: "get_assignment_submissions", status: "success" },
      { tool: "calculate_stats", status: "success", result: { mean: 74.2 } },
    ]);
  });

  test("[F112] builds a valid page with the layout of the blueprint and the numbers of the tools", async () => {
    const { page } = await runExecution();
    expect(pageSpecSchema.parse(page)).toEqual(page);
    expect(page).toMatchObject({
      meta: { pageTitle: "Unit 5", summary: "How unit 5 went", dataSource: "get_assignment_submissions" },
      layout: "single_page",
      tabs: [{ id: "overview", label: "Overview" }],
    });
    expect(page?.meta.unverifiedNumbers).toBeUndefined();
    const [text, kpis, chart, table] = listBlocks(page);
    expect([text?.id, kpis?.id, chart?.id, table?.id]).toEqual(["text", "kpis", "chart", "table"]);
    expect(text).toMatchObject({ type: "markdown", content: "The average is 74.2." });
    expect(kpis).toMatchObject({ data: [{ label: "Average", value: "74.2" }, { value: "72" }, {}, {}, {}, {}] });
    expect(chart).toMatchObject({ variant: "distribution", series: [{ data: [0, 0, 1, 1, 1, 1, 1] }] });
    expect(table?.type === "table" && table.rows.map(({ cells }) => cells[2])).toEqual(SCORES);
  });

  test("[F119] uses the language of the user", async () => {
    const model = createTextModel("平均分是74.2。");
    const ran = await runExecution({ language: "zh-CN", model });
    expect(filterByType(ran.events, "PHASE")[0]?.message).toMatch(/正在/);
    expect(listBlocks(ran.page)[1]).toMatchObject({ data: [{ label: "平均值" }, {}, {}, {}, {}, {}] });
    expect(model.requests[0]?.messages[0]?.content).toContain("Language of the person: zh-CN");
  });
});

describe("[F110] data of a blueprint", () => {
  const createTwoBindings = (change: (first: BlueprintPart, second: BlueprintPart) => void = () => {}) =>
    createBlueprint((input) => {
      const [first] = input.dataContract.bindings;
      const second = { ...ensurePresent(first, "binding"), id: "second" };
      input.dataContract.bindings.push(second);
      change(ensurePresent(first, "binding"), second);
    });

  test("is fetched in parallel where it is independent, and started in order", async () => {
    let release = () => {};
    const both = new Promise<void>((resolve) => (release = resolve));
    let waiting = 0;
    const tools = createTools({
      async get_assignment_submissions() {
        if (++waiting === 2) release();
        await both;
        return { scores: SCORES, submissions: [] };
      },
    });
    const { events, page } = await runExecution({ blueprint: createTwoBindings(), tools });
    expect(page).not.toBeNull();
    expect(events.slice(1, 3)).toMatchObject([
      { type: "TOOL_CALL", callId: "submissions" },
      { type: "TOOL_CALL", callId: "second" },
    ]);
  });

  test("is fetched after the data that it depends on, and reads it", async () => {
    const blueprint = createTwoBindings((_, second) => {
      second["paramMapping"] = { teacher_id: "$data.submissions.name", assignment_id: "a-001" };
    });
    const { events } = await runExecution({ blueprint });
    expect(events.slice(1, 5)).toMatchObject([
      { type: "TOOL_CALL", callId: "submissions" },
      { type: "TOOL_RESULT", callId: "submissions" },
      { type: "TOOL_CALL", callId: "second", args: { teacher_id: "Unit 5" } },
      { type: "TOOL_RESULT", callId: "second" },
    ]);
  });

  test("leaves a warning in its blocks where it is optional and unavailable", async () => {
    const blueprint = createBlueprint((input) => {
      input.dataContract.bindings.push({
        id: "extra",
        toolName: "get_assignment_submissions",
        paramMapping: { teacher_id: "t", assignment_id: "a-999" },
        required: false,
      });
      input.computeGraph.nodes.push({
        id: "extraStats",
        type: "tool",
        toolName: "calculate_stats",
        toolArgs: { data: "$data.extra.scores" },
        outputKey: "extraStats",
      });
      getSlots(input).push({ id: "more", componentType: "kpi_grid", dataBinding: "$compute.extraStats" });
      getSlots(input).push({ id: "own", componentType: "markdown", dataBinding: "$data.extra", aiContentSlot: true });
    });
    const tools = createTools();
    const ran = await runExecution({ blueprint, tools });
    expect(getCompleteEvent(ran).message).toBe("completed");
    expect(filterByType(ran.events, "DATA_ERROR")).toEqual([]);
    expect(listBlocks(ran.page).slice(-2)).toMatchObject([
      {
        id: "more",
        type: "markdown",
        variant: "warning",
        content: expect.stringContaining("no such assignment") as string,
      },
      {
        id: "own",
        type: "markdown",
        variant: "warning",
        content: expect.stringContaining("no such assignment") as string,
      },
    ]);
    expect(tools.calls.filter(({ name }) => name === "calculate_stats")).toHaveLength(1);
  });

  test("can be static in the blueprint", async () => {
    const blueprint = createBlueprint((input) => {
      input.dataContract.bindings.push({
        id: "fixed",
        sourceType: "static",
        paramMapping: { value: [{ label: "Goal", value: 80 }] },
      });
      getSlots(input).push({ id: "goal", componentType: "kpi_grid", dataBinding: "$data.fixed" });
    });
    const { page } = await runExecution({ blueprint });
    expect(listBlocks(page).at(-1)).toMatchObject({ data: [{ label: "Goal", value: "80" }] });
  });
});

describe("[F110] a page from the data tools", () => {
  const library = openLibrary();
  library.add("many", `v\n${Array.from({ length: 150 }, (_, i) => i + 1).join("\n")}\n`);
  const tools = createDataTools(library.data);

  function runBlueprint(bindings: object[], nodes: object[], slots: object[]) {
    const uiComposition = { tabs: [{ id: "t", label: "T", slots }] };
    const input = { name: "All", dataContract: { bindings }, computeGraph: { nodes }, uiComposition };
    const checked = checkBlueprint(input, tools.infos);
    if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
    return runExecution({ blueprint: checked.blueprint, tools, context: {}, model: createTextModel("Fine.") });
  }

  test("computes over all rows of a query without a limit, and over the limited rows otherwise", async () => {
    const query = (id: string, more: object) => ({
      id,
      toolName: "query_dataset",
      paramMapping: { dataset: "many", select: ["v"], ...more },
    });
    const stats = (outputKey: string) => ({
      id: outputKey,
      type: "tool",
      toolName: "calculate_stats",
      toolArgs: { data: `$data.of_${outputKey}.values.v`, metrics: ["max"] },
      outputKey,
    });
    const figure = (id: string) => ({ id, componentType: "kpi_grid", dataBinding: `$compute.${id}.max` });
    const { page } = await runBlueprint(
      [query("of_all", {}), query("of_some", { limit: 5 })],
      [stats("all"), stats("some")],
      [figure("all"), figure("some")],
    );
    expect(getBlock(page, "all")).toMatchObject({ data: [{ value: "150" }] });
    expect(getBlock(page, "some")).toMatchObject({ data: [{ value: "5" }] });
  });

  test("resolves references in properties, leaves out missing arguments, and keeps the full score", async () => {
    const submissions = (id: string, assignment_id: string) => ({
      id,
      toolName: "get_assignment_submissions",
      paramMapping: { teacher_id: "$context.teacherId", assignment_id },
    });
    const toolArgs = { group_a: "$data.a.scores", group_b: "$data.b.scores", metrics: "$context.nothing" };
    const props = { groupNames: ["$data.a.class_name", "$data.b.class_name"] };
    const { page } = await runBlueprint(
      [submissions("a", "a-001"), submissions("b", "a-003"), submissions("essay", "a-002")],
      [{ id: "c", type: "tool", toolName: "compare_performance", toolArgs, outputKey: "c" }],
      [
        { id: "kpis", componentType: "kpi_grid", dataBinding: "$compute.c", props },
        { id: "rows", componentType: "table", dataBinding: "$data.essay.submissions" },
      ],
    );
    expect(getBlock(page, "kpis")).toMatchObject({ data: [{ label: "Form 1A · Average", value: "74.2" }, {}, {}] });
    const statuses = ["normal", "success", "normal", "success", "normal"].map((status) => ({ status }));
    expect(getBlock(page, "rows")).toMatchObject({ rows: statuses });
  });
});
