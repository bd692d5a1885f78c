import { runTool, type Tool } from "./tools.ts";

type Check = { readonly name: string; readonly tool: Tool; readonly args: readonly string[] };

export const TYPE_CHECK: Check = { name: "types", tool: "tsc", args: ["--noEmit"] };
/** Browser code has other globals than the Worker. */
export const WEB_TYPE_CHECK: Check = {
  name: "types of the web application",
  tool: "tsc",
  args: ["--noEmit", "-p", "test/web"],
};
export const LINT: Check = { name: "lint", tool: "oxlint", args: ["--type-aware"] };
export const FORMAT: Check = { name: "format", tool: "oxfmt", args: ["--check", "."] };

/** Runs the checks concurrently and prints their results. Resolves with the names of the failed checks. */
export async function runChecks(checks: readonly Check[]): Promise<string[]> {
  const results = await Promise.all(
    checks.map(async ({ name, tool, args }) => {
      const startedAt = Date.now();
      const { code, output } = await runTool(tool, args);
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
      console.log(`${name}: ${code === 0 ? "ok" : "FAILED"} (${seconds} s)`);
      if (code !== 0) console.log(output);
      return code === 0 ? [] : [name];
    }),
  );
  return results.flat();
}
