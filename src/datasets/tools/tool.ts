// A tool that an analysis can call: a typed function over a person's data.

import * as z from "zod";
import { Fault } from "../../protocol/fault.ts";
import type { Data } from "../data.ts";
import { nearest } from "../../protocol/words/nearest.ts";

export type DataTool = {
  readonly name: string;
  readonly description: string;
  /** What it takes. */
  readonly parameters: z.ZodObject;
  /**
   * Calls it with whatever somebody wrote. Resolves with JSON; with `{ error: DataError }` when something that was named
   * is not there. Rejects with a `Fault` for wrong arguments.
   */
  call(args: unknown, data: Data): Promise<unknown>;
};

/** A tool from a function, which may be synchronous. */
export function dataTool<Shape extends z.ZodObject>(definition: {
  readonly name: string;
  readonly description: string;
  readonly parameters: Shape;
  run(args: z.output<Shape>, data: Data): unknown;
}): DataTool {
  const { name, description, parameters } = definition;
  return {
    name,
    description,
    parameters,
    async call(args, data) {
      const parsed = parameters.safeParse(args);
      if (parsed.success) return definition.run(parsed.data, data);
      throw new Fault("invalid_request", `Wrong arguments for ${name}: ${z.prettifyError(parsed.error)}`);
    },
  };
}

export type Registry = {
  readonly tools: readonly DataTool[];
  has(name: string): boolean;
  /** Rejects with a `Fault` for a tool that is not there, and as the tool does. */
  call(name: string, args: unknown, data: Data): Promise<unknown>;
};

export function registryOf(tools: readonly DataTool[]): Registry {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    tools,
    has: (name) => byName.has(name),
    async call(name, args, data) {
      const tool = byName.get(name);
      if (tool !== undefined) return tool.call(args, data);
      const near = nearest(name, [...byName.keys()]).join(", ");
      throw new Fault("invalid_request", `There is no tool called "${name}". The nearest are: ${near}.`);
    },
  };
}
