import * as z from "zod";
import type { AgentRequest } from "../../protocol/agent.ts";
import { Fault } from "../../protocol/fault.ts";

/** What a tool is given besides its arguments. `signal` ends with the task or its time. */
export type ToolContext = {
  readonly request: AgentRequest;
  readonly env: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
};

/** A tool as the loop sees it: described by a JSON Schema, called with whatever the model wrote. */
export type Tool = {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Rejects with a `Fault` when the model should know why; anything else stays in the log. */
  call(args: unknown, context: ToolContext): Promise<string>;
};

/**
 * A tool from a function. The arguments reach `run` validated; its result reaches the model as text, JSON
 * if it is not a string. Throw a `Fault` to tell the model what was wrong.
 */
export function tool<Shape extends z.ZodObject>(definition: {
  readonly name: string;
  readonly description: string;
  readonly parameters: Shape;
  run(args: z.output<Shape>, context: ToolContext): unknown;
}): Tool {
  const { name, description, parameters } = definition;
  return {
    name,
    description,
    parameters: z.toJSONSchema(parameters, { io: "input" }),
    async call(args, context) {
      const parsed = parameters.safeParse(args);
      if (!parsed.success)
        throw new Fault("invalid_request", `Wrong arguments for ${name}: ${z.prettifyError(parsed.error)}`);
      const result: unknown = await definition.run(parsed.data, context);
      return typeof result === "string" ? result : (JSON.stringify(result) ?? "");
    },
  };
}
