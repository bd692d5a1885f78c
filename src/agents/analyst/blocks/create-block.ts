// Converts data to page blocks. The functions are pure, accept any tool result and any properties, and limit the size
// of their output. Blocks carry plain text; only markdown blocks are marked up, and their text is sanitized.

import type { BlueprintSlot } from "../../../protocol/pages/blueprint-schema.ts";
import type { PageBlock } from "../../../protocol/pages/page.ts";
import { createChartBlock } from "./chart-block.ts";
import { createKpiBlock } from "./kpi-block.ts";
import { createMarkdownBlock, createNoteBlock } from "./markdown-block.ts";
import { createTableBlock } from "./table-block.ts";
import { createQuestionBlock, createSuggestionBlock } from "../compose/written-block.ts";
import { createValueFormat } from "./value-format.ts";
import type { SlotProps } from "./slot-props.ts";
import { localize } from "../localize.ts";
import { isRecord, isScalar } from "./data-shapes.ts";

/**
 * Returns the block for a slot from its data and properties, in which references are resolved already. Without `data`,
 * the properties may contain the data. Never throws for bad data: returns a warning block if there is no data, or if
 * the component cannot show it.
 */
export function createBlock(
  { id, componentType }: Pick<BlueprintSlot, "id" | "componentType">,
  data: unknown,
  props: SlotProps,
  language: string,
): PageBlock {
  const value = data ?? props["data"] ?? props["items"] ?? props["value"] ?? null;
  const format = createValueFormat(language);
  if (componentType === "markdown") {
    const text = [data, props["content"], props["text"]].find(isScalar);
    return text === undefined
      ? createNoteBlock(id, localize("analyst.blockEmpty", language))
      : createMarkdownBlock(id, String(text), props);
  }
  if (isEmptyValue(value) && componentType !== "question_generator")
    return createNoteBlock(id, localize("analyst.blockEmpty", language));
  const block = {
    kpi_grid: () => createKpiBlock(id, value, props, format),
    chart: () => createChartBlock(id, value, props, format),
    table: () => createTableBlock(id, value, props, format),
    suggestion_list: () => createSuggestionBlock(id, value, props, language),
    question_generator: () => createQuestionBlock(id, value ?? props["questions"], props, language),
  }[componentType]();
  const hasNoRows = isRecord(value) && isEmptyValue(value["rows"]);
  return block ?? createNoteBlock(id, localize(hasNoRows ? "analyst.blockEmpty" : "analyst.blockUnsuitable", language));
}

/** True for null, undefined, an empty text and an empty list. */
function isEmptyValue(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}
