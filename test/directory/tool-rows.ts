// Helpers that write tools to D1 and read its rows.

import { saveTool, searchTools, getToolWithVersions, type ToolDraft } from "../../src/directory/tool-directory.ts";
import type { StoredTool, ToolCategory } from "../../src/protocol/tools/stored-tool.ts";
import { DB } from "./schedule-rows.ts";

export const MULTIPLY: ToolDraft = {
  name: "multiply_numbers",
  description: "Multiplies two numbers. 计算两个数的乘积。",
  category: "math",
  parameters: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
  returns: { type: "number" },
  code: "function run({ a, b }) { return a * b; }",
  hash: "h1",
};

export function saveTestTool(user: string, changes: Partial<ToolDraft> = {}, at = 1_000) {
  return saveTool(DB, user, { ...MULTIPLY, ...changes }, at);
}

/** Saves tools by name and description. */
export async function saveTestTools(
  user: string,
  descriptions: Readonly<Record<string, string>>,
  category: ToolCategory = "math",
): Promise<void> {
  for (const [name, description] of Object.entries(descriptions))
    await saveTestTool(user, { name, description, category });
}

export async function readTool(user: string, name: string): Promise<StoredTool | null> {
  const tool = await getToolWithVersions(DB, user, name);
  if (tool === null) return null;
  const { versions: _, ...stored } = tool;
  return stored;
}

/** Returns the names of the tools that a search finds. */
export async function searchNames(user: string, text: string, category: ToolCategory = "math", limit = 8) {
  return (await searchTools(DB, user, { text, category }, limit)).map(({ name }) => name);
}

export async function countRows(table: "tool" | "tool_version" | "tool_index" | "tool_trial"): Promise<number> {
  return (await DB.prepare(`SELECT count(*) AS count FROM ${table}`).first<number>("count")) ?? NaN;
}

export async function clearTools(): Promise<void> {
  await DB.batch(
    ["tool", "tool_version", "tool_index", "tool_trial"].map((table) => DB.prepare(`DELETE FROM ${table}`)),
  );
}
