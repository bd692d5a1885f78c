// Starts development tools with the Node that runs the scripts.

import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { dirname, join } from "node:path";
import { stopProcessTree } from "./process-tree.ts";

export const ROOT = dirname(import.meta.dirname);

const PROGRAMS = {
  tsc: "typescript/bin/tsc",
  oxlint: "oxlint/bin/oxlint",
  oxfmt: "oxfmt/bin/oxfmt",
  vitest: "vitest/vitest.mjs",
  // The launcher of wrangler would add a process that does not reliably forward signals.
  wrangler: "wrangler/wrangler-dist/cli.js",
} as const;

export type Tool = keyof typeof PROGRAMS;

/** Keeps wrangler from prompting, reporting, updating and using the network. */
const QUIET = {
  CI: "1",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_NO_SKILLS_UPDATE_PROMPTS: "true",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_SEND_METRICS: "false",
};

export type ToolOptions = { readonly stdio?: StdioOptions; readonly env?: Readonly<Record<string, string>> };

export function startTool(
  tool: Tool,
  args: readonly string[],
  { stdio = "inherit", env = {} }: ToolOptions = {},
): ChildProcess {
  const quiet = tool === "wrangler" ? QUIET : {};
  const program = join(ROOT, "node_modules", PROGRAMS[tool]);
  return spawn(process.execPath, ["--no-warnings", program, ...args], {
    cwd: ROOT,
    stdio,
    env: { ...process.env, ...quiet, ...env },
  });
}

export type ToolResult = { readonly code: number; readonly output: string };

/**
 * Runs a tool and collects its output. A tool that ends by a signal has code 1. When `stop` aborts, the tool is ended
 * with its descendants.
 */
export function runTool(
  tool: Tool,
  args: readonly string[],
  { stop }: { readonly stop?: AbortSignal } = {},
): Promise<ToolResult> {
  const child = startTool(tool, args, { stdio: ["ignore", "pipe", "pipe"] });
  const end = () => void stopProcessTree(child, 0);
  if (stop?.aborted === true) end();
  else stop?.addEventListener("abort", end, { once: true });
  let output = "";
  const keep = (chunk: Buffer) => (output += chunk.toString());
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  return waitForExit(child).then((code) => ({ code, output: output.trim() }));
}

export function waitForExit(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}
