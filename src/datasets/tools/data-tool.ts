// The tools that an analysis can call: typed functions over one person's data, and their registry.

import * as z from "zod";
import { createMessage } from "../../language/messages.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { isDataFailure } from "../../protocol/datasets/dataset.ts";
import type { DatasetReader } from "../dataset-reader.ts";
import { findSimilarNames } from "../../language/similar-names.ts";

export type DataTool = {
  readonly name: string;
  readonly description: string;
  /** The schema of the arguments. */
  readonly parameters: z.ZodObject;
  /**
   * Validates the arguments and runs the tool. Resolves with JSON, or with `{ error: DataError }` if a named thing does
   * not exist. Rejects with a `Fault` (`invalid_request`) for wrong arguments.
   */
  call(args: unknown, data: DatasetReader): Promise<unknown>;
};

/** Creates a tool from `run`, which gets the validated arguments and may be synchronous. */
export function createDataTool<Shape extends z.ZodObject>(definition: {
  readonly name: string;
  readonly description: string;
  readonly parameters: Shape;
  run(args: z.output<Shape>, data: DatasetReader): unknown;
}): DataTool {
  const { name, description, parameters } = definition;
  return {
    name,
    description,
    parameters,
    async call(args, data) {
      const parsed = parameters.safeParse(args);
      if (parsed.success) return toToolResult(await definition.run(parsed.data, data));
      const problems = z.prettifyError(parsed.error);
      throw createFault("invalid_request", createMessage("dataTool.invalidArguments", { tool: name, problems }));
    },
  };
}

/** Removes the catalogue entry of a failure: models and programs read only its error. */
function toToolResult(result: unknown): unknown {
  const isFailure = typeof result === "object" && result !== null && isDataFailure(result);
  return isFailure ? { error: result.error } : result;
}

/** Tools by name. */
export type DataToolRegistry = {
  readonly tools: readonly DataTool[];
  /** Calls a tool. Rejects with a `Fault` (`invalid_request`) for an unknown tool, and with the errors of the tool. */
  call(name: string, args: unknown, data: DatasetReader): Promise<unknown>;
};

/** Creates a registry. Tool names must be unique: of two with one name the last one is called. */
export function createDataToolRegistry(tools: readonly DataTool[]): DataToolRegistry {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    tools,
    async call(name, args, data) {
      const tool = byName.get(name);
      if (tool !== undefined) return tool.call(args, data);
      const suggestions = findSimilarNames(name, [...byName.keys()]);
      throw createFault("invalid_request", createMessage("dataTool.unknown", { name, suggestions }));
    },
  };
}
