// The examples of the analyst's abilities, carried out by the analyst over real tables with the embedded model.

import { describe, expect, test } from "vitest";
import { ANALYST_ABILITIES } from "../../src/embedded/analyst/analyst-abilities.ts";
import { parseAnalysisData } from "../../src/embedded/analyst/analysis-data.ts";
import { routeFirstMessage } from "../../src/embedded/analyst/analyst-routing.ts";
import { describeResult } from "../../src/embedded/analyst/describe-results.ts";
import { updatePage } from "../../src/embedded/analyst/page-blueprints.ts";
import { checkBlueprint } from "../../src/agents/analyst/blueprint/blueprint-check.ts";
import { createDataTools } from "../../src/agents/analyst/data-tools.ts";
import { getCpuMs } from "../support/cpu-time.ts";
import { openLibrary } from "../support/dataset-library.ts";
import { createSampleLibrary, startConversation, type AnalystTurn } from "./analyst-conversation.ts";

/** Formats an answer: the charts and figures of its page, or its text. */
function formatTurn({ page, blocks, chatResponse }: AnalystTurn): string {
  if (page === null) return chatResponse ?? "";
  return blocks
    .flatMap((block) => {
      if (block.type === "kpi_grid") return [block.data.map(({ label, value }) => `${label} ${value}`).join(", ")];
      if (block.type === "markdown") return [block.content];
      if (block.type !== "chart") return [];
      return block.series.map(
        ({ name, data }) => `${block.variant} ${name}: ${block.xAxis.map((x, i) => `${x} ${data[i]}`).join(", ")}`,
      );
    })
    .join("\n");
}

/** Sends the messages of an example and returns the last answer. A refused change is its reason. */
async function runExample(request: string, library = createSampleLibrary()): Promise<AnalystTurn> {
  const conversation = startConversation(library);
  const [first = "", ...later] = request.split(" → ");
  let turn = await conversation.send(first);
  for (const message of later)
    turn = await conversation
      .send(message)
      .catch((thrown: unknown) => ({ ...turn, page: null, chatResponse: String(thrown) }));
  return turn;
}

describe.each(ANALYST_ABILITIES)("[F104] [F105] [F114] the ability $name", ({ examples }) => {
  test.each(examples)("answers %s", async (request, expected) => {
    const turn = await runExample(request);
    expect(formatTurn(turn)).toContain(expected);
    expect(turn.page?.meta.unverifiedNumbers ?? []).toEqual([]);
  });
});

test("blueprints pass the check without warnings", async () => {
  const library = createSampleLibrary();
  const { infos } = createDataTools(library.data);
  const requests = ANALYST_ABILITIES.flatMap(({ examples }) => examples.map(([request]) => request));
  for (const request of requests) {
    const { blueprint } = await runExample(request, library);
    if (blueprint === undefined) continue;
    const checked = checkBlueprint(blueprint, infos);
    expect([request, checked.ok, checked.ok ? checked.warnings : checked.problems]).toEqual([request, true, []]);
  }
});

describe("hostile input", () => {
  const columns = Array.from({ length: 400 }, (_, i) => ({
    name: `column ${i} 列${i}`,
    type: i % 2 === 0 ? "number" : "text",
  }));
  const classes = [{ class_id: "c-1a", name: "Form 1A", students: ["Ann"], assignments: [] }, "… 2 more #2"];
  const material = { teacher_id: "t-001", classes, datasets: [{ name: "wide", columns: [...columns, "… 3 more"] }, 7] };
  const data = parseAnalysisData(`Data that exists:\n\`\`\`json\n${JSON.stringify(material)}\n\`\`\``);

  test.each(["by ", "按", "1A ", "name ", "加", "top 1 ", "各个", "compare ", "最高", "a-001 ", "\n", "改", "除了"])(
    "takes less than 2 s to read 12,000 characters of %j",
    (chunk) => {
      const text = chunk.repeat(Math.ceil(12_000 / chunk.length)).slice(0, 12_000);
      const start = getCpuMs();
      routeFirstMessage(text, text, data);
      updatePage(text, {}, "zh");
      expect(getCpuMs() - start).toBeLessThan(2_000);
    },
  );

  test("is read as far as it goes where the prompt truncated its lists", () => {
    expect(data.classes).toMatchObject([{ name: "Form 1A" }]);
    expect(data.datasets[0]?.columns).toHaveLength(400);
  });

  test("may name columns and tables like patterns, references or markup", async () => {
    const library = openLibrary();
    library.add("a.*(b", "c[+)?,<script>x</script>,$data.x\nred,1,2\nblue,3,4\n");
    const { action, page, blocks } = await startConversation(library).send("summary of my data");
    expect([action, page === null]).toEqual(["build_workflow", false]);
    expect(JSON.stringify(blocks.filter(({ type }) => type === "markdown"))).not.toContain("<script>");
  });

  test.each([[null], [7], [[]], [{ columns: 3, rows: [] }], [{ group_a: {}, group_b: {} }], [{ submissions: [null] }]])(
    "with results of unknown shape, as %j, is not described",
    (value) => {
      expect(describeResult(value, [], "en").join("")).not.toMatch(/undefined|NaN|\[object/);
    },
  );
});
