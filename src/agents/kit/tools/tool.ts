// Tools of an agent: the interface that the loop calls, and `tool`, which creates one from a function.

import * as z from "zod";
import type { AgentRequest } from "../../../protocol/agents/agent.ts";
import { Fault } from "../../../protocol/wire/fault.ts";
import { createApprovalQuestion } from "./approval-question.ts";
import type { ToolQuestion } from "../ask.ts";
import { toJson, isJsonValue, isSameJson } from "../../../lib/json-value.ts";

/** The second argument of a tool. `signal` aborts with the task or at its time limit. */
export type ToolContext = {
  readonly request: AgentRequest;
  readonly env: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** The unique id of the call. An approved call that is repeated after a crash keeps its id. */
  readonly call_id: string;
};

/** The arguments of a call, as JSON. */
export type AgentToolArguments = Readonly<Record<string, unknown>>;

/** Arguments that passed the check. `arguments` is the JSON that `call` receives. */
export type CheckedToolArguments = {
  readonly arguments: AgentToolArguments;
  /** The question that the person must answer first; null if there is none. */
  readonly question: ToolQuestion | null;
};

/** A tool as the loop sees it: described by a JSON Schema, called with unvalidated arguments of the model. */
export type AgentTool = {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The tool changes nothing and asks nobody. A read-only request offers no other tools. */
  readonly read_only: boolean;
  /**
   * A call may change something, or show something to others. After untrusted text was read, it may need approval
   * (`untrusted-input.ts`).
   */
  readonly has_effect: boolean;
  /** The description was written outside of the deployment, so it is untrusted. */
  readonly is_foreign?: true;
  /** Validates arguments without any effect. Throws a `Fault` for those that `call` would reject. */
  check(args: unknown): CheckedToolArguments;
  /**
   * Runs the tool and returns its result as text. The model sees the message of a `Fault`, a `Failure` with the code
   * `tool_failed` or `agent_failed` ends the run, at once or, if it is retryable, unless a later call succeeds. Any other
   * error is logged: the model then learns only that the tool failed.
   */
  call(args: unknown, context: ToolContext): Promise<string>;
};

/**
 * Creates a tool from a function, which may be async. `run` receives validated arguments. Its result reaches the model
 * as text, as JSON if it is not a string. Throw a `Fault` to show an error to the model, a `Failure` (`tool_failed`) to
 * end the run. With `needs_approval`, the person sees the arguments first, and `run` receives exactly the approved
 * ones. `read_only` declares that the tool changes nothing; it has no effect on a tool that may ask for approval.
 * `has_effect: false` declares the same for a tool that is not offered in read-only requests.
 */
export function tool<Shape extends z.ZodObject>(definition: {
  readonly name: string;
  readonly description: string;
  readonly parameters: Shape;
  readonly read_only?: boolean;
  readonly has_effect?: boolean;
  readonly needs_approval?: boolean | ((args: z.output<Shape>) => boolean);
  run(args: z.output<Shape>, context: ToolContext): unknown;
}): AgentTool {
  const { name, description, parameters, needs_approval = false, read_only = false } = definition;
  const isReadOnly = read_only && needs_approval === false;
  const schema = z.toJSONSchema(parameters, { io: "input" });
  const parse = (args: unknown): z.output<Shape> => {
    const parsed = parameters.safeParse(args);
    if (parsed.success) return parsed.data;
    throw new Fault("invalid_request", `Wrong arguments for ${name}: ${z.prettifyError(parsed.error)}`);
  };
  return {
    name,
    description,
    parameters: schema,
    read_only: isReadOnly,
    has_effect: definition.has_effect ?? !isReadOnly,
    check(args) {
      const jsonArguments = toJson(args);
      const parsed = parse(jsonArguments);
      const needsQuestion = typeof needs_approval === "function" ? needs_approval(parsed) : needs_approval;
      const shownArguments = getShownArguments(parameters, jsonArguments, parsed);
      return {
        arguments: shownArguments,
        question: needsQuestion ? createApprovalQuestion(name, shownArguments, schema) : null,
      };
    },
    async call(args, context) {
      const result: unknown = await definition.run(parse(args), context);
      return typeof result === "string" ? result : (JSON.stringify(result) ?? "");
    },
  };
}

/**
 * Returns the arguments to show to the person: with defaults, without unknown members. If the schema transforms a
 * value so that parsing it again would give another one, the given values are shown instead.
 */
function getShownArguments(
  schema: z.ZodObject,
  jsonArguments: unknown,
  parsed: AgentToolArguments,
): AgentToolArguments {
  const reparsed = isJsonValue(parsed) ? schema.safeParse(toJson(parsed)) : undefined;
  if (reparsed?.success === true && isJsonValue(reparsed.data) && isSameJson(reparsed.data, parsed))
    return toJson(parsed) as AgentToolArguments;
  return Object.fromEntries(Object.entries(jsonArguments as AgentToolArguments).filter(([key]) => key in parsed));
}
