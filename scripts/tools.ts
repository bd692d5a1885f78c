// The development tools that the scripts run, always on the Node that runs the scripts.

import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { dirname, join } from "node:path";

export const ROOT = dirname(import.meta.dirname);

const PROGRAMS = {
  tsc: "typescript/bin/tsc",
  oxlint: "oxlint/bin/oxlint",
  oxfmt: "oxfmt/bin/oxfmt",
  vitest: "vitest/vitest.mjs",
  // Wrangler's own launcher would start this in one more process, which does not pass signals on reliably.
  wrangler: "wrangler/wrangler-dist/cli.js",
} as const;

export type Tool = keyof typeof PROGRAMS;

/** Keeps wrangler from asking, reporting, looking for updates and reaching for the network. */
const QUIET = {
  CI: "1",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_NO_SKILLS_UPDATE_PROMPTS: "true",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_SEND_METRICS: "false",
};

export type Run = { readonly stdio?: StdioOptions; readonly env?: Readonly<Record<string, string>> };

export function start(tool: Tool, args: readonly string[], { stdio = "inherit", env = {} }: Run = {}): ChildProcess {
  const quiet = tool === "wrangler" ? QUIET : {};
  const program = join(ROOT, "node_modules", PROGRAMS[tool]);
  return spawn(process.execPath, ["--no-warnings", program, ...args], {
    cwd: ROOT,
    stdio,
    env: { ...process.env, ...quiet, ...env },
  });
}

export type Ended = { readonly code: number; readonly output: string };

/** Runs a tool to its end and keeps what it prints. A tool that a signal ended has code 1. */
export function run(tool: Tool, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const child = start(tool, args, { stdio: ["ignore", "pipe", "pipe"], env });
  let output = "";
  const keep = (chunk: Buffer) => (output += chunk.toString());
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  return exitOf(child).then((code) => ({ code, output: output.trim() }));
}

export function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}
