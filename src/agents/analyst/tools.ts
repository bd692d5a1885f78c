// The tools that an analysis may use, as the analyst sees them.

/** A tool as a model is told of it; `parameters` is a JSON Schema. */
export type ToolInfo = {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
};

/** The tools over a person's data. */
export type Tools = {
  readonly infos: readonly ToolInfo[];
  /**
   * The result as JSON. What does not exist is an answer, not an exception: an object with `error`, and where there are
   * any with `entity` and `suggestions`. Rejects with a `Fault` for an unknown tool or arguments of the wrong type.
   */
  call(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>;
};
