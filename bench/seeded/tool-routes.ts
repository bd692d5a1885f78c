// Routes to a registry of tools: one fills it, one searches it like the toolsmith.

import { saveTool, searchTools } from "../../src/directory/tool-directory.ts";
import { TOOL_CATEGORIES } from "../../src/protocol/tools/stored-tool.ts";
import type { ToolBatch, ToolSearch } from "../measure/tools.ts";

const VERBS = [
  ["multiply", "乘"],
  ["calculate", "计算"],
  ["convert", "转换"],
  ["count", "统计"],
  ["format", "格式化"],
  ["generate", "生成"],
  ["validate", "验证"],
  ["compare", "比较"],
  ["sort", "排序"],
  ["round", "取整"],
] as const;
const OBJECTS = [
  ["numbers", "数字"],
  ["dates", "日期"],
  ["words", "单词"],
  ["currencies", "货币"],
  ["temperatures", "温度"],
  ["weekdays", "星期"],
  ["percentages", "百分比"],
  ["primes", "素数"],
  ["matrices", "矩阵"],
  ["sentences", "句子"],
  ["holidays", "节日"],
  ["angles", "角度"],
] as const;

/** Creates a tool with 400 characters of code. Words recur among the tools as in those of a real user. */
function createToolDraft(i: number) {
  const [verb, verbZh] = pick(VERBS, i);
  const [object, objectZh] = pick(OBJECTS, Math.floor(i / VERBS.length));
  return {
    name: `${verb}_${object}_${i}`,
    description: `Takes ${object} of kind ${i % 97} and returns the result of the operation ${verb}. ${verbZh}给定的${objectZh}并返回结果，第${i % 89}种。`,
    category: pick(TOOL_CATEGORIES, i),
    parameters: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
    code: `function run({ a, b }) { return a * b; } // ${"-".repeat(360)}`,
    hash: `hash-${i}`,
  };
}

function pick<T>(values: readonly T[], i: number): T {
  const value = values[i % values.length];
  if (value === undefined) throw new Error("Nothing to pick from");
  return value;
}

/** Handles a request for one of these routes. Resolves with null for any other request. */
export async function handleToolRequest(request: Request, db: D1Database): Promise<Response | null> {
  switch (new URL(request.url).pathname) {
    case "/tools": {
      const { userId, from, count } = await request.json<ToolBatch>();
      for (let i = from; i < from + count; i++) await saveTool(db, userId, createToolDraft(i), Date.now());
      return Response.json([]);
    }
    case "/candidates": {
      const { userId, text, category, limit } = await request.json<ToolSearch>();
      const found = await searchTools(db, userId, { text, category }, limit);
      return Response.json(found.map(({ name }) => name));
    }
    default:
      return null;
  }
}
