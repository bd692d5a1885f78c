// Converts data to page blocks. The functions are pure, accept any tool result and any properties, and limit the size
// of their output. Blocks carry plain text; only markdown blocks are marked up, and their text is sanitized.

import type { Slot } from "../../protocol/blueprint.ts";
import type { Block } from "../../protocol/page.ts";
import { chartOf } from "./blocks-chart.ts";
import { kpiGridOf } from "./blocks-kpi.ts";
import { NO_DATA, UNSHOWABLE } from "./blocks-phrases.ts";
import { markdownOf, noteOf } from "./blocks-markdown.ts";
import { tableBlockOf } from "./blocks-table.ts";
import { questionsOf, suggestionsOf } from "./blocks-text.ts";
import { formatFor } from "./format.ts";
import { inLanguage } from "./language.ts";
import { isRecord, isScalar } from "./shapes.ts";

type Props = Readonly<Record<string, unknown>>;

/**
 * Returns the block for a slot with resolved references and properties. Never throws for bad data: returns a warning
 * block if there is no data, or if the component cannot show it.
 */
export function blockOf(
  { id, componentType }: Pick<Slot, "id" | "componentType">,
  data: unknown,
  props: Props,
  language: string,
): Block {
  const given = data ?? props["data"] ?? props["items"] ?? props["value"] ?? null;
  const format = formatFor(language);
  if (componentType === "markdown") {
    const text = [data, props["content"], props["text"]].find(isScalar);
    return text === undefined ? noteOf(id, inLanguage(NO_DATA, language)) : markdownOf(id, String(text), props);
  }
  if (isEmpty(given) && componentType !== "question_generator") return noteOf(id, inLanguage(NO_DATA, language));
  const block = {
    kpi_grid: () => kpiGridOf(id, given, props, format),
    chart: () => chartOf(id, given, props, format),
    table: () => tableBlockOf(id, given, props, format),
    suggestion_list: () => suggestionsOf(id, given, props, language),
    question_generator: () => questionsOf(id, given ?? props["questions"], props, language),
  }[componentType]();
  const isBare = isRecord(given) && isEmpty(given["rows"]);
  return block ?? noteOf(id, inLanguage(isBare ? NO_DATA : UNSHOWABLE, language));
}

/** True for null, undefined, an empty text and an empty list. */
function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}
