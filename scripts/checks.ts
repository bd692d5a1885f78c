import { run, type Tool } from "./tools.ts";

type Check = { readonly name: string; readonly tool: Tool; readonly args: readonly string[] };

export const TYPES: Check = { name: "types", tool: "tsc", args: ["--noEmit"] };
/** What runs in browsers knows other globals than the Worker. */
export const WEB_TYPES: Check = {
  name: "types of the web application",
  tool: "tsc",
  args: ["--noEmit", "-p", "test/web"],
};
export const LINT: Check = { name: "lint", tool: "oxlint", args: ["--type-aware"] };
export const FORMAT: Check = { name: "format", tool: "oxfmt", args: ["--check", "."] };

/** Runs the checks side by side and prints how each went. Resolves with the names of those that failed. */
export async function runChecks(checks: readonly Check[]): Promise<string[]> {
  const results = await Promise.all(
    checks.map(async ({ name, tool, args }) => {
      const startedAt = Date.now();
      const { code, output } = await run(tool, args);
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
      console.log(`${name}: ${code === 0 ? "ok" : "FAILED"} (${seconds} s)`);
      if (code !== 0) console.log(output);
      return code === 0 ? [] : [name];
    }),
  );
  return results.flat();
}
