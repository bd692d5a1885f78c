import * as z from "zod";
import type { AgentRequest } from "../../protocol/agent.ts";
import { Fault } from "../../protocol/fault.ts";
import { approvalOf } from "./approval.ts";
import type { Question } from "./ask.ts";
import { asJson, isJson, isSame } from "./json.ts";

/** What a tool is given besides its arguments. `signal` ends with the task or its time. */
export type ToolContext = {
  readonly request: AgentRequest;
  readonly env: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** This call's own, everywhere. An approved call that is repeated after a crash has the same one again. */
  readonly call_id: string;
};

export type Arguments = Readonly<Record<string, unknown>>;

/** A call that may be made. `arguments` is JSON: what `call` is to be given. */
export type Checked = {
  readonly arguments: Arguments;
  /** What the person has to be asked first. */
  readonly question: Question | null;
};

/** A tool as the loop sees it: described by a JSON Schema, called with whatever the model wrote. */
export type Tool = {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** It only looks: it changes nothing and asks nobody. No other tool is offered in a read-only request. */
  readonly read_only: boolean;
  /** Reads arguments without doing anything. Throws a `Fault` for those that `call` would refuse. */
  check(args: unknown): Checked;
  /** Rejects with a `Fault` when the model should know why; anything else stays in the log. */
  call(args: unknown, context: ToolContext): Promise<string>;
};

/**
 * A tool from a function. The arguments reach `run` validated; its result reaches the model as text, JSON
 * if it is not a string. Throw a `Fault` to tell the model what was wrong. With `needs_approval`, the person
 * is shown the arguments first, and `run` gets those that they allowed or nothing. `read_only` says that it
 * changes nothing; one that may ask for approval never counts as such.
 */
export function tool<Shape extends z.ZodObject>(definition: {
  readonly name: string;
  readonly description: string;
  readonly parameters: Shape;
  readonly read_only?: boolean;
  readonly needs_approval?: boolean | ((args: z.output<Shape>) => boolean);
  run(args: z.output<Shape>, context: ToolContext): unknown;
}): Tool {
  const { name, description, parameters, needs_approval = false, read_only = false } = definition;
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
    read_only: read_only && needs_approval === false,
    check(args) {
      const given = asJson(args);
      const parsed = parse(given);
      const asks = typeof needs_approval === "function" ? needs_approval(parsed) : needs_approval;
      const shown = faithful(parameters, given, parsed);
      return { arguments: shown, question: asks ? approvalOf(name, shown, schema) : null };
    },
    async call(args, context) {
      const result: unknown = await definition.run(parse(args), context);
      return typeof result === "string" ? result : (JSON.stringify(result) ?? "");
    },
  };
}

/**
 * Arguments that mean to the tool just what `given` means, with its defaults filled in and without what it does
 * not know. Where its schema makes something of them that it would not read the same way again, they stay as
 * they were given, again without what it does not know.
 */
function faithful(schema: z.ZodObject, given: unknown, parsed: Arguments): Arguments {
  const again = isJson(parsed) ? schema.safeParse(asJson(parsed)) : undefined;
  if (again?.success === true && isJson(again.data) && isSame(again.data, parsed)) return asJson(parsed) as Arguments;
  return Object.fromEntries(Object.entries(given as Arguments).filter(([key]) => key in parsed));
}
