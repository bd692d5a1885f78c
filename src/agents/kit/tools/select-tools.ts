// Selects the tools that a model call offers. Models accept at most 128 tools and choose badly among many.

import { extractTerms } from "../../../language/search-terms.ts";
import type { AgentTool } from "./tool.ts";

/** The maximum number of offered tools, and of characters of their descriptions and parameters. */
const LIMITS = { tools: 128, chars: 256 * 1024 };
/** The text of a tool that is compared with the request, in UTF-16 units. */
const MAX_COMPARED_CHARS = 300;
/** The weights of a term by the place where a tool has it. */
const PLACE_WEIGHTS = { name: 3, parameter: 2, description: 1 };
type Place = keyof typeof PLACE_WEIGHTS;
/** The weight of a number or a single character. */
const HINT_WEIGHT = 0.25;
/** The names of tools that are left out and told to the model. */
const MAX_TOLD_NAMES = 60;

/** The offered tools in their order, and a sentence for the model about those that are not; "" if all are offered. */
export type ToolSelection = { readonly tools: readonly AgentTool[]; readonly note: string };

/**
 * Selects the tools of a task. The tools in `ownNames` are always offered; of the others, those that have most in common
 * with the text of the task, then the first ones. The selection depends on nothing but its input, so it is the same
 * after a crash or an answer.
 */
export function selectTools(tools: readonly AgentTool[], ownNames: ReadonlySet<string>, task: string): ToolSelection {
  const sizes = new Map(tools.map((tool) => [tool, measureTool(tool)]));
  const totalChars = sizes.values().reduce((sum, size) => sum + size, 0);
  if (tools.length <= LIMITS.tools && totalChars <= LIMITS.chars) return { tools, note: "" };
  const own = tools.filter(({ name }) => ownNames.has(name));
  const ranked = rankByRelevance(
    tools.filter(({ name }) => !ownNames.has(name)),
    task,
  );
  const offered = new Set(own);
  let chars = own.reduce((sum, tool) => sum + (sizes.get(tool) ?? 0), 0);
  for (const tool of ranked) {
    const size = sizes.get(tool) ?? 0;
    if (offered.size >= LIMITS.tools || chars + size > LIMITS.chars) continue;
    offered.add(tool);
    chars += size;
  }
  const leftOut = ranked.filter((tool) => !offered.has(tool));
  return { tools: tools.filter((tool) => offered.has(tool)), note: formatNote(offered.size, tools.length, leftOut) };
}

function measureTool({ name, description, parameters }: AgentTool): number {
  return name.length + description.length + JSON.stringify(parameters).length;
}

function formatNote(offered: number, total: number, leftOut: readonly AgentTool[]): string {
  const names = leftOut.slice(0, MAX_TOLD_NAMES).map(({ name }) => name);
  const rest = leftOut.length > names.length ? ` and ${leftOut.length - names.length} more` : "";
  return `You are offered ${offered} of ${total} tools, chosen by the words of the request. Not offered: ${names.join(", ")}${rest}. If the request needs one of these, say so and name it.`;
}

/** Sorts the tools by their relevance, the most relevant first. Equally relevant tools keep their order. */
function rankByRelevance(tools: readonly AgentTool[], task: string): AgentTool[] {
  const { words, hints } = extractTerms(task);
  const wanted = [
    ...words.map((term) => createNeedle(term, 1)),
    ...hints.map((term) => createNeedle(term, HINT_WEIGHT)),
  ];
  const scores = new Map(tools.map((tool) => [tool, 0]));
  const texts = tools.map(foldTool);
  for (const { text, weight } of wanted) {
    const hits = texts.map((places) => getPlaceWeight(places, text));
    const count = hits.filter((hit) => hit > 0).length;
    if (count === 0) continue;
    // A term of few tools says more than one of many.
    const rarity = weight * Math.log1p(tools.length / count);
    tools.forEach((tool, i) => scores.set(tool, (scores.get(tool) ?? 0) + (hits[i] ?? 0) * rarity));
  }
  return tools.toSorted((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0));
}

/** A term as it is searched in the text of tools: pairs of characters anywhere, stems of words at the start of a word. */
function createNeedle(term: string, weight: number): { readonly text: string; readonly weight: number } {
  // The stem of words with "y" ends with "i".
  return { text: /^[a-z]/.test(term) ? ` ${term.replace(/(?<=...)i$/, "")}` : term, weight };
}

/** The texts of a tool by place, in small letters and with a space before each word. */
type FoldedTool = Readonly<Record<Place, string>>;

function foldTool({ name, description, parameters }: AgentTool): FoldedTool {
  const { properties } = parameters;
  const parameterNames = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  return {
    name: foldText(splitWords(name)),
    parameter: foldText(splitWords(parameterNames.join(" "))),
    description: foldText(description),
  };
}

function foldText(text: string): string {
  const start = text.slice(0, MAX_COMPARED_CHARS).normalize("NFKC").toLowerCase();
  return ` ${start.replaceAll(/[^\p{L}\p{N}]+/gu, " ")}`;
}

/** Returns the weight of the place where a text weighs most; 0 if the tool does not have it. */
function getPlaceWeight({ name, parameter, description }: FoldedTool, text: string): number {
  if (name.includes(text)) return PLACE_WEIGHTS.name;
  if (parameter.includes(text)) return PLACE_WEIGHTS.parameter;
  return description.includes(text) ? PLACE_WEIGHTS.description : 0;
}

/** Separates the words of a name in camel case. Other separators need no help. */
function splitWords(name: string): string {
  return name.replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, " ");
}
