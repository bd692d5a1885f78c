// Selects the tool calls of a piece of work with their arguments.

import { buildToolArguments, type ToolCallArguments, type WorkContext } from "./tool-arguments.ts";
import { getFamily, findDescribedIdeas, splitIdentifier } from "./idea-glossary.ts";
import { takesDate, takesExpression, takesQuestion } from "./tool-parameters.ts";
import { findRequestedIdeas, buildProfile, scoreProfiles, type ProfileField } from "./idea-matching.ts";
import { findReference } from "./result-references.ts";
import { normalizeCharacters } from "../language/text-spans.ts";
import { readArithmetic } from "./read-arithmetic.ts";
import { asksForOtherVariant, asksForOtherMoment, isConditionalOrDelayed } from "./tool-mismatch.ts";
import type { OfferedTool } from "./chat-completions.ts";

export type PlannedCall = { readonly name: string; readonly arguments: ToolCallArguments };

const MIN_TOOL_SCORE = 0.7;
const EXPRESSION_BONUS = 2;

/** Returns the calls for one piece of work; empty if no tool fits. */
export function selectToolCalls(situation: WorkContext, tools: readonly OfferedTool[]): PlannedCall[] {
  const { text } = situation;
  if (isConditionalOrDelayed(text)) return [];
  const base = scoreProfiles(
    text,
    tools.map((tool) => buildProfile(listToolFields(tool))),
  );
  const isSum =
    findRequestedIdeas(text).has("arithmetic") ||
    (findReference(text) !== "none" && readArithmetic(normalizeCharacters(text)).length > 0);
  const ranked = tools
    .map((tool, i) => ({
      tool,
      score: (base[i] ?? 0) + (isSum && takesExpression(tool.parameters) ? EXPRESSION_BONUS : 0),
    }))
    .filter(({ tool, score }) => score >= MIN_TOOL_SCORE || (tools.length === 1 && takesQuestion(tool.parameters)))
    .sort((a, b) => b.score - a.score);
  for (const { tool } of ranked) {
    if (isOtherTextOperation(text, tool)) continue;
    if (
      asksForOtherVariant(
        text,
        listToolFields(tool)
          .map((field) => field.text)
          .join(" "),
      )
    )
      continue;
    if (asksForOtherMoment(situation) && !takesDate(tool.parameters)) continue;
    const filled = buildToolArguments(tool.parameters, situation);
    if (filled !== null) return filled.map((values) => ({ name: tool.name, arguments: values }));
  }
  return [];
}

/** True if a text tool does none of the operations asked for: a replacement must not be counted. */
function isOtherTextOperation(text: string, tool: OfferedTool): boolean {
  const asked = [...findRequestedIdeas(text)].filter((idea) => getFamily(idea) === "text" && idea !== "text");
  const can = new Set(listToolFields(tool).flatMap((field) => [...findDescribedIdeas(field.text)]));
  const isOfTexts = [...can].some((idea) => getFamily(idea) === "text");
  return asked.length > 0 && isOfTexts && !asked.some((idea) => can.has(idea));
}

function listToolFields({ name, description, parameters }: OfferedTool): ProfileField[] {
  return [
    { text: splitIdentifier(name), weight: 1.3 },
    { text: description, weight: 0.9 },
    { text: listEnumOptions(parameters), weight: 0.9 },
  ];
}

/** Returns all enum options of a tool: `uppercase reverse trim`. */
function listEnumOptions(parameters: OfferedTool["parameters"]): string {
  const listed: unknown[] = [];
  JSON.stringify(parameters, (key, value: unknown) => {
    if (key === "enum" && Array.isArray(value)) listed.push(...(value as unknown[]));
    return value;
  });
  return listed.map(String).join(" ").slice(0, 1_000);
}
