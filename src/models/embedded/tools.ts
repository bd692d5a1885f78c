// Selects the tool calls of a piece of work with their arguments.

import { argumentsFor, type Arguments, type Situation } from "./arguments.ts";
import { familyOf, ideasDescribed, spaced } from "./glossary.ts";
import { takesDate, takesExpression, takesQuestion } from "./parameters.ts";
import { ideasWanted, profileOf, scores, type Field } from "./matching.ts";
import { referenceIn } from "./references.ts";
import { fold } from "../../protocol/words/text.ts";
import { readArithmetic } from "./arithmetic.ts";
import { isAnotherKind, isAnotherMoment, isConditional } from "./unlike.ts";
import type { Tool } from "./wire.ts";

export type PlannedCall = { readonly name: string; readonly arguments: Arguments };

const FIT = 0.7;
const EXPRESSION_BONUS = 2;

/** Returns the calls for one piece of work; empty if no tool fits. */
export function callsFor(situation: Situation, tools: readonly Tool[]): PlannedCall[] {
  const { text } = situation;
  if (isConditional(text)) return [];
  const base = scores(
    text,
    tools.map((tool) => profileOf(fieldsOf(tool))),
  );
  const isSum =
    ideasWanted(text).has("arithmetic") || (referenceIn(text) !== "none" && readArithmetic(fold(text)).length > 0);
  const ranked = tools
    .map((tool, i) => ({
      tool,
      score: (base[i] ?? 0) + (isSum && takesExpression(tool.parameters) ? EXPRESSION_BONUS : 0),
    }))
    .filter(({ tool, score }) => score >= FIT || (tools.length === 1 && takesQuestion(tool.parameters)))
    .sort((a, b) => b.score - a.score);
  for (const { tool } of ranked) {
    if (isAnotherChange(text, tool)) continue;
    if (
      isAnotherKind(
        text,
        fieldsOf(tool)
          .map((field) => field.text)
          .join(" "),
      )
    )
      continue;
    if (isAnotherMoment(situation) && !takesDate(tool.parameters)) continue;
    const filled = argumentsFor(tool.parameters, situation);
    if (filled !== null) return filled.map((values) => ({ name: tool.name, arguments: values }));
  }
  return [];
}

/** True if a text tool does none of the operations asked for: a replacement must not be counted. */
function isAnotherChange(text: string, tool: Tool): boolean {
  const asked = [...ideasWanted(text)].filter((idea) => familyOf(idea) === "text" && idea !== "text");
  const can = new Set(fieldsOf(tool).flatMap((field) => [...ideasDescribed(field.text)]));
  const isOfTexts = [...can].some((idea) => familyOf(idea) === "text");
  return asked.length > 0 && isOfTexts && !asked.some((idea) => can.has(idea));
}

function fieldsOf({ name, description, parameters }: Tool): Field[] {
  return [
    { text: spaced(name), weight: 1.3 },
    { text: description, weight: 0.9 },
    { text: choices(parameters), weight: 0.9 },
  ];
}

/** Returns all enum options of a tool: `uppercase reverse trim`. */
function choices(parameters: Tool["parameters"]): string {
  const listed: unknown[] = [];
  JSON.stringify(parameters, (key, value: unknown) => {
    if (key === "enum" && Array.isArray(value)) listed.push(...(value as unknown[]));
    return value;
  });
  return listed.map(String).join(" ").slice(0, 1_000);
}
