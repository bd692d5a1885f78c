// Tools to put into a real D1, and what stands there.

import { saveTool, searchTools, getToolWithVersions, type ToolDraft } from "../../src/directory/tool-directory.ts";
import type { StoredTool, ToolCategory } from "../../src/protocol/tools/stored-tool.ts";
import { DB } from "./rows.ts";

export const MULTIPLY: ToolDraft = {
  name: "multiply_numbers",
  description: "Multiplies two numbers. 计算两个数的乘积。",
  category: "math",
  parameters: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
  returns: { type: "number" },
  code: "function run({ a, b }) { return a * b; }",
  hash: "h1",
};

export function keep(user: string, changes: Partial<ToolDraft> = {}, at = 1_000) {
  return saveTool(DB, user, { ...MULTIPLY, ...changes }, at);
}

/** Tools by their names and descriptions. */
export async function keepAll(
  user: string,
  descriptions: Readonly<Record<string, string>>,
  category: ToolCategory = "math",
): Promise<void> {
  for (const [name, description] of Object.entries(descriptions)) await keep(user, { name, description, category });
}

export async function keptTool(user: string, name: string): Promise<StoredTool | null> {
  const tool = await getToolWithVersions(DB, user, name);
  if (tool === null) return null;
  const { versions: _, ...kept } = tool;
  return kept;
}

/** The names of what a search finds. */
export async function found(user: string, text: string, category: ToolCategory = "math", limit = 8) {
  return (await searchTools(DB, user, { text, category }, limit)).map(({ name }) => name);
}

export async function rowsIn(table: "tool" | "tool_version" | "tool_index" | "tool_trial"): Promise<number> {
  return (await DB.prepare(`SELECT count(*) AS count FROM ${table}`).first<number>("count")) ?? NaN;
}

export async function clearTools(): Promise<void> {
  await DB.batch(
    ["tool", "tool_version", "tool_index", "tool_trial"].map((table) => DB.prepare(`DELETE FROM ${table}`)),
  );
}
