// Plans the tool calls for one piece of work: the tool for its kind, or else the tool whose description fits best.

import type { OfferedTool } from "../chat-completions.ts";
import type { KnownValues } from "../prompt-context.ts";
import { collectResultNumbers, extractText, type EarlierResult } from "../work/earlier-results.ts";
import { resolveSum } from "../work/read-sum.ts";
import { readWork, type Work } from "../work/read-work.ts";
import { listWords, splitIdentifier } from "../work/words.ts";
import { EMAIL } from "./known-values.ts";
import { buildArguments, type ToolCallArguments } from "./build-arguments.ts";
import { listParameters, type ParameterKind } from "./tool-parameters.ts";

export type PlannedCall = { readonly name: string; readonly arguments: ToolCallArguments };
/** Without calls, `missing` names the tool and the parameter that has no value, if a tool fits at all. */
export type CallPlan = {
  readonly calls: readonly PlannedCall[];
  readonly missing?: { readonly tool: string; readonly name: string };
};

export type WorkSituation = {
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
export function planLookup(situation: WorkSituation, tools: readonly OfferedTool[]): CallPlan {
  return planOwnTool(situation, tools, false);
}

function planKnownWork(
  work: Work,
  { results, timezone }: WorkSituation,
  tools: readonly OfferedTool[],
): PlannedCall[] | null {
  const last = results.at(-1);
  const text = "text" in work ? (work.text ?? (last === undefined ? null : extractText(last))) : null;
  switch (work.kind) {
    case "clock": {
      const tool = findTool(tools, CLOCK, [], ["zone", "place"]);
      const zones: readonly (string | undefined)[] = work.zones.length > 0 ? work.zones : [timezone];
      return tool === null ? null : zones.map((zone) => tool.call(zone === undefined ? {} : { zone, place: zone }));
    }
    case "sum": {
      const tool = findTool(tools, /./, ["expression"], []);
      const expression = resolveSum(work.template, collectResultNumbers(results));
      return tool === null || expression === null ? null : [tool.call({ expression })];
    }
    case "draw": {
      const tool = findTool(tools, /./, ["min", "max"], []);
      return tool === null
        ? null
        : Array.from({ length: work.count }, () => tool.call({ min: work.min, max: work.max }));
    }
    case "count": {
      const tool = findTool(tools, COUNTER, ["text"], []);
      return tool === null || text === null ? null : [tool.call({ text })];
    }
    case "change": {
      const bare = (option: unknown) => String(option).toLowerCase().replace(/[_ -]/g, "");
      const tool = findTool(tools, /./, ["text", "choice"], []);
      const choice = tool?.options.find((option) => bare(option) === bare(work.operation));
      return tool === null || text === null || choice === undefined ? null : [tool.call({ text, choice })];
    }
    case "replace": {
      const tool = findTool(tools, /./, ["text", "find", "replacement"], []);
      return tool === null ? null : [tool.call({ text, find: work.find, replacement: work.replacement })];
    }
  }
}

const CLOCK = /\b(?:current|present|local)(?: date and)? time\b|\bclock\b|当前时间|现在时间/i;
const COUNTER = /\b(?:words?|characters?)\b|字数|词数/i;

/** True for a tool that does a kind of work: it is called only for work that was read from end to end. */
function isKindTool(tool: OfferedTool): boolean {
  const shapes: readonly (readonly [RegExp, readonly ParameterKind[], readonly ParameterKind[]])[] = [
    [CLOCK, [], ["zone", "place"]],
    [COUNTER, ["text"], []],
    [/./, ["expression"], []],
    [/./, ["min", "max"], []],
    [/./, ["text", "find", "replacement"], []],
    [/\b(?:case|reverses?|rewrites?)\b/i, ["text", "choice"], []],
  ];
  return shapes.some(([described, kinds, optional]) => findTool([tool], described, kinds, optional) !== null);
}

type KindCall = {
  readonly options: readonly unknown[];
  readonly call: (values: Partial<Record<ParameterKind, unknown>>) => PlannedCall;
};

/** Returns the first described tool that takes exactly these kinds of parameters and has values for all required ones. */
function findTool(
  tools: readonly OfferedTool[],
  described: RegExp,
  kinds: readonly ParameterKind[],
  optional: readonly ParameterKind[],
): KindCall | null {
  for (const { name, description, parameters } of tools) {
    const list = listParameters(parameters);
    const takes = list.map(({ kind }) => kind);
    const fits =
      kinds.every((kind) => takes.includes(kind)) &&
      list.every(({ kind, isRequired }) => !isRequired || kinds.includes(kind) || optional.includes(kind));
    if (!fits || !described.test(`${splitIdentifier(name)} ${description}`)) continue;
    const choice = list.find(({ kind }) => kind === "choice")?.schema["enum"];
    const call: KindCall["call"] = (values) => ({
      name,
      arguments: Object.fromEntries(
        list.flatMap((one) => (values[one.kind] === undefined ? [] : [[one.name, values[one.kind]] as const])),
      ),
    });
    return { options: Array.isArray(choice) ? (choice as unknown[]) : [], call };
  }
  return null;
}

function planOwnTool(
  { text, facts, timezone, isApp }: WorkSituation,
  tools: readonly OfferedTool[],
  mayGuess: boolean,
): CallPlan {
  const own = tools.filter((tool) => !isKindTool(tool));
  const tool = chooseTool(text, own, !mayGuess);
  if (tool === null) return NOTHING;
  const filled = buildArguments(tool.parameters, { text, facts, timezone, isApp, mayGuess });
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
  const isOpen = listParameters(only?.parameters ?? {}).some(
    ({ kind, isRequired }) => kind === "question" && isRequired,
  );
  if (only !== undefined && others.length === 0 && (isLookup || isOpen)) return only;
  const words = [...listWords(request)];
  const ranked = tools
    .map((tool) => {
      const own = listWords(`${splitIdentifier(tool.name)} ; ${tool.description}`);
      const hasAddress =
        EMAIL.test(request) &&
        listParameters(tool.parameters).some(({ kind, isRequired }) => kind === "email" && isRequired);
      const isRead = /^(?:check|look|query|find|get|list|search|read|show|count)/i.test(tool.name);
      const isSuited = isRead === (isLookup || LOOKS.test(request));
      return { tool, score: words.filter((word) => own.has(word)).length + (hasAddress ? 0.5 : 0), isSuited };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || Number(b.isSuited) - Number(a.isSuited));
  const [best, next] = ranked;
  const isClear =
    best !== undefined && (next === undefined || next.score < best.score || next.isSuited !== best.isSuited);
  return isClear ? best.tool : null;
}
