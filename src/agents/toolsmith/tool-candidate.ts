// Candidates: tools with the arguments for one sub-task, validated but not yet trusted.

import { checkProgram, type SandboxProgram } from "../../sandbox/check-program.ts";
import type { ProgramIssue } from "../../sandbox/policy-violations.ts";
import type { SandboxValue } from "../../sandbox/sandbox.ts";
import { computeSha256 } from "../../lib/sha256.ts";
import type { WrittenTool } from "./offered-tools.ts";
import { findSchemaViolation } from "../kit/tools/json-schema.ts";
import { listParameterNames, parseParameters, parseSchema, withDefaults } from "./tool-schema.ts";
import type { ToolCandidate } from "./toolsmith-state.ts";

/** A candidate, or the problem for the model. */
export type CandidateResult =
  | { readonly ok: true; readonly candidate: ToolCandidate }
  | { readonly ok: false; readonly problem: string };

/** The program that may run, or the issues of the safety check. */
export type SafetyVerdict =
  | { readonly ok: true; readonly program: SandboxProgram }
  | { readonly ok: false; readonly issues: readonly ProgramIssue[] };

/**
 * Validates the schemas and arguments of a tool that a model or a person has written, and adds default arguments. The
 * code is not checked here.
 */
export function createCandidate(written: WrittenTool, origin: ToolCandidate["origin"]): CandidateResult {
  const { name, description, category, code } = written;
  const parameters = parseParameters(written.parameters);
  if (!parameters.ok) return parameters;
  const returnsSchema = written.returns ?? null;
  const returns = returnsSchema === null ? null : parseSchema(returnsSchema, "returns");
  if (returns?.ok === false) return returns;
  const args = withDefaults(parameters.schema, written.arguments as Record<string, SandboxValue>);
  const problem = findSchemaViolation(parameters.schema, args);
  if (problem !== null) return { ok: false, problem: `The arguments do not fit the parameters. ${problem}` };
  return {
    ok: true,
    candidate: {
      name,
      description,
      category,
      code,
      parameters: parameters.schema,
      ...(returns === null ? {} : { returns: returns.schema }),
      arguments: args,
      origin,
    },
  };
}

/** Applies the safety check to a candidate's code. Does not run it. */
export function checkSafety({ name, code, parameters }: ToolCandidate): SafetyVerdict {
  return checkProgram(code, listParameterNames(parameters), name);
}

/** Returns the SHA-256 of a tool's code and schemas, without its name and arguments, in hexadecimal digits. */
export function hashCandidate({ code, parameters, returns }: ToolCandidate): Promise<string> {
  return computeSha256(JSON.stringify([code, parameters, returns ?? null]));
}

/** Returns the tool as it is saved: without the arguments of this sub-task and without the origin. */
export function toToolDraft({ arguments: _, origin: __, ...tool }: ToolCandidate) {
  return tool;
}

/** Returns the candidate as the arguments of `write_tool`: everything except the origin. */
export function toWrittenTool({ origin: _, ...written }: ToolCandidate) {
  return written;
}
