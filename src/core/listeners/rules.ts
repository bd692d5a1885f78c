// What a template may be, beyond its shape.

import type { PlanConfig } from "../../protocol/plan-template.ts";

export type Problem = { readonly path: string; readonly message: string };

/**
 * Everything that makes a template unacceptable. `agentNames` null: agents are not judged. `checkCode` says what is
 * wrong with a snippet, or null; without it, snippets are not judged.
 */
export function problemsOf(
  _config: PlanConfig,
  _agentNames: ReadonlySet<string> | null,
  _checkCode?: (code: string) => string | null,
): readonly Problem[] {
  return [];
}

/** The names of the main task's values that prompts use: what an instance needs to be started with. */
export function inputsOf(_config: PlanConfig): readonly string[] {
  return [];
}
