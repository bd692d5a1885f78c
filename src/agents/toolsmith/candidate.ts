// Candidates: tools with the arguments for one sub-task, validated but not yet trusted.

import { check, type Program } from "../../sandbox/check.ts";
import type { Issue } from "../../sandbox/inspect.ts";
import type { Json } from "../../sandbox/sandbox.ts";
import { sha256 } from "../../protocol/digest.ts";
import type { Tool } from "../../protocol/tools.ts";
import type { Written } from "./contract.ts";
import { problemWith } from "../kit/json-schema.ts";
import { namesIn, readParameters, readSchema, withDefaults } from "./schema.ts";
import type { Candidate } from "./state.ts";

/** A candidate, or the problem for the model. */
export type ReadCandidate =
  | { readonly ok: true; readonly candidate: Candidate }
  | { readonly ok: false; readonly problem: string };

/** The program that may run, or the issues of the safety check. */
export type Verdict =
  | { readonly ok: true; readonly program: Program }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Validates a tool that a model or a person has written: its schemas and arguments. The code is not checked here. */
export function fromWritten(written: Written, origin: Candidate["origin"]): ReadCandidate {
  const { name, description, category, code } = written;
  const parameters = readParameters(written.parameters);
  if (!parameters.ok) return parameters;
  const said = written.returns ?? null;
  const returns = said === null ? null : readSchema(said, "returns");
  if (returns?.ok === false) return returns;
  const args = argumentsFor(parameters.schema, written.arguments);
  if (!args.ok) return args;
  return {
    ok: true,
    candidate: {
      name,
      description,
      category,
      code,
      parameters: parameters.schema,
      ...(returns === null ? {} : { returns: returns.schema }),
      arguments: args.arguments,
      origin,
    },
  };
}

/** Combines a saved tool with the arguments that a model has chosen. */
export function fromKept(tool: Tool, given: Readonly<Record<string, unknown>>): ReadCandidate {
  return fromWritten({ ...tool, arguments: given }, "kept");
}

/** Applies the safety check to a candidate's code. */
export function checked({ name, code, parameters }: Candidate): Verdict {
  return check(code, namesIn(parameters), name);
}

/** Returns the SHA-256 of a tool's code and schemas, in hexadecimal digits. */
export function hashOf({ code, parameters, returns }: Candidate): Promise<string> {
  return sha256(JSON.stringify([code, parameters, returns ?? null]));
}

type ReadArguments =
  | { readonly ok: true; readonly arguments: Record<string, Json> }
  | { readonly ok: false; readonly problem: string };

/** Adds defaults to the arguments and validates them. */
function argumentsFor(parameters: Candidate["parameters"], given: Readonly<Record<string, unknown>>): ReadArguments {
  const args = withDefaults(parameters, given as Record<string, Json>);
  const problem = problemWith(parameters, args);
  if (problem !== null) return { ok: false, problem: `The arguments do not fit the parameters. ${problem}` };
  return { ok: true, arguments: args };
}

/** Returns the tool without the arguments of this sub-task. */
export function toolOf({ arguments: _, origin: __, ...tool }: Candidate) {
  return tool;
}

/** Returns the candidate in the form in which it was written. */
export function writtenOf({ origin: _, ...written }: Candidate) {
  return written;
}
