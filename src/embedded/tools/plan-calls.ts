// Plans the tool calls for one piece of work: the tool for its kind, or else the tool whose description fits best.

import type { OfferedTool } from "../chat-completions.ts";
import type { KnownValues } from "../prompt-context.ts";
import { collectResultNumbers, type EarlierResult } from "../work/earlier-results.ts";
import { resolveSum } from "../work/read-sum.ts";
import { readWork, type Work } from "../work/read-work.ts";
import { listWords, splitIdentifier } from "../work/words.ts";
import { EMAIL } from "./known-values.ts";
import { buildArguments, type ToolCallArguments } from "./build-arguments.ts";
import { listParameters, type ToolParameter, type ToolParameterKind } from "./tool-parameters.ts";

export type PlannedCall = { readonly name: string; readonly arguments: ToolCallArguments };
/** Without calls, `missing` names the tool and the parameter that has no value, if a tool fits at all. */
export type CallPlan = {
  readonly calls: readonly PlannedCall[];
  readonly missing?: { readonly tool: string; readonly name: string };
};

type WorkSituation = {
  /** The piece of work. */
  readonly text: string;
  /** Earlier results that the text may refer to, oldest first. */
  readonly results: readonly EarlierResult[];
  readonly timezone: string | undefined;
  readonly facts: KnownValues;
  /** True for a configured agent, whose requests contain values of its own subject. */
  readonly isApp: boolean;
};

const MAX_CALLS = 10;
const NOTHING: CallPlan = { calls: [] };

export function planCalls(situation: WorkSituation, tools: readonly OfferedTool[]): CallPlan {
  const work = readWork(situation.text);
  const calls = work === null ? null : planKnownWork(work, situation, tools);
  if (calls !== null) return calls.length > MAX_CALLS ? NOTHING : { calls };
  return planOwnTool(situation, tools, true);
}

/** Plans one call of a read-only tool with known values, for the verification of a task. */
export const planLookup = (situation: WorkSituation, tools: readonly OfferedTool[]): CallPlan =>
  planOwnTool(situation, tools, false);

/** The tool for each kind of work: its description, the kinds of its required parameters, and of optional ones. */
const SHAPES: Readonly<Record<Work["kind"], ToolShape>> = {
  clock: [/\b(?:current|present|local)(?: date and)? time\b|\bclock\b|当前时间|现在时间/i, [], ["zone", "place"]],
  sum: [/./, ["expression"], []],
  draw: [/./, ["min", "max"], []],
  count: [/\b(?:words?|characters?)\b|字数|词数/i, ["text"], []],
  change: [/\b(?:case|revers\w*|rewrites?)\b|大写|反转/i, ["text", "choice"], []],
};
type ToolShape = readonly [
  described: RegExp,
  required: readonly ToolParameterKind[],
  optional: readonly ToolParameterKind[],
];

function hasShape({ name, description, parameters }: OfferedTool, [described, required, optional]: ToolShape): boolean {
  const list = listParameters(parameters);
  return (
    described.test(`${splitIdentifier(name)} ${description}`) &&
    required.every((kind) => list.some((one) => one.kind === kind)) &&
    list.every(({ kind, isRequired }) => !isRequired || required.includes(kind) || optional.includes(kind))
  );
}

/** Returns null if no tool does such work, or if an earlier result is missing. */
function planKnownWork(work: Work, situation: WorkSituation, tools: readonly OfferedTool[]): PlannedCall[] | null {
  const tool = tools.find((one) => hasShape(one, SHAPES[work.kind]));
  const parameters = tool === undefined ? [] : listParameters(tool.parameters);
  const values = tool === undefined ? null : listValues(work, situation, parameters);
  if (tool === undefined || values === null) return null;
  return values.map((given) => {
    const filled = parameters.filter(({ kind }) => given[kind] !== undefined);
    return { name: tool.name, arguments: Object.fromEntries(filled.map(({ name, kind }) => [name, given[kind]])) };
  });
}

type GivenValues = Partial<Record<ToolParameterKind, unknown>>;

/** Returns the values of each call that the work needs. */
function listValues(
  work: Work,
  { results, timezone }: WorkSituation,
  parameters: readonly ToolParameter[],
): GivenValues[] | null {
  switch (work.kind) {
    case "clock":
      return (work.zones.length > 0 ? work.zones : [timezone]).map((zone) => ({ zone, place: zone }));
    case "sum": {
      const expression = resolveSum(work.template, collectResultNumbers(results));
      return expression === null ? null : [{ expression }];
    }
    case "draw":
      return [{ min: work.min, max: work.max }];
    case "count":
    case "change": {
      const choice = work.kind === "count" ? undefined : work.operation;
      const options = parameters.find(({ kind }) => kind === "choice")?.schema["enum"];
      const isPossible = choice === undefined || (Array.isArray(options) && options.includes(choice));
      return isPossible ? [{ text: work.text, choice }] : null;
    }
  }
}

/** Tools that do a kind of work are called only for work that was read from end to end. */
function planOwnTool(
  { text, facts, isApp }: WorkSituation,
  tools: readonly OfferedTool[],
  mayGuess: boolean,
): CallPlan {
  const own = tools.filter((tool) => !Object.values(SHAPES).some((shape) => hasShape(tool, shape)));
  const tool = chooseTool(text, own, !mayGuess);
  if (tool === null) return NOTHING;
  const filled = buildArguments(tool.parameters, { text, facts, isApp, mayGuess });
  if ("missing" in filled) return { calls: [], missing: { tool: tool.name, name: filled.missing } };
  return { calls: [{ name: tool.name, arguments: filled.arguments }] };
}

/** A value that a workflow inserted into the prompt; it is data. */
const QUOTED = /"(?:[^"\\\n]|\\.)*"/g;
const LOOKS = /\b(?:check|look up|find out|was|were|has|have|does|did|whether|status of|read)\b|查询|查看|检查|是否/i;

/** Returns the named tool, or the one that shares most words with the request; null if none or several do. */
function chooseTool(text: string, tools: readonly OfferedTool[], isLookup: boolean): OfferedTool | null {
  const request = text.replaceAll(QUOTED, " ");
  const named = tools.find(({ name }) => request.split(/[^\w-]+/).includes(name));
  if (named !== undefined) return named;
  const [only, ...others] = tools;
  if (only !== undefined && others.length === 0 && (isLookup || requires(only, "question"))) return only;
  const words = [...listWords(request)];
  const isReading = isLookup || LOOKS.test(request);
  const ranked = tools
    .map((tool) => {
      const own = listWords(`${splitIdentifier(tool.name)} ; ${tool.description}`);
      const hasAddress = EMAIL.test(request) && requires(tool, "email");
      const score = words.filter((word) => own.has(word)).length + (hasAddress ? 0.5 : 0);
      const isSuited = isReading === /^(?:check|look|query|find|get|list|search|read|show|count)/i.test(tool.name);
      return { tool, score, rank: score + (isSuited ? 0.1 : 0) };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.rank - a.rank);
  const [best, next] = ranked;
  return best === undefined || best.rank === next?.rank ? null : best.tool;
}

const requires = ({ parameters }: OfferedTool, wanted: ToolParameterKind): boolean =>
  listParameters(parameters).some(({ kind, isRequired }) => kind === wanted && isRequired);
