// The examples of the analyst's abilities, carried out by the analyst over real tables with the embedded model.

import { describe, expect, test } from "vitest";
import { ANALYST_ABILITIES } from "../../src/embedded/analyst/analyst-abilities.ts";
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

describe.each(ANALYST_ABILITIES)("[F104] [F105] [F114] the ability to $description.en", ({ examples }) => {
  test.each(examples)("answers %s", async (request, expected) => {
    const turn = await runExample(request);
    expect(formatTurn(turn)).toContain(expected);
    expect(turn.page?.meta.unverifiedNumbers ?? []).toEqual([]);
  });
});

test("columns and tables may be named like patterns, references or markup", async () => {
  const library = openLibrary();
  library.add("a.*(b", "c[+)?,<script>x</script>,$data.x\nred,1,2\nblue,3,4\n");
  const { action, page, blocks } = await startConversation(library).send("summary of my data");
  expect([action, page === null]).toEqual(["build_workflow", false]);
  expect(JSON.stringify(blocks.filter(({ type }) => type === "markdown"))).not.toContain("<script>");
});
