// The tool interface of the analyst, independent of where the tools run.

/** The description of a tool for models. `parameters` is a JSON Schema. */
export type ToolInfo = {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
};

/** The tools bound to one person's data. */
export type AnalystTools = {
  readonly infos: readonly ToolInfo[];
  /**
   * Resolves with the result as JSON, or with `{ error: DataError }` if a named thing does not exist. Rejects with a
   * `Fault` for an unknown tool or arguments of the wrong type.
   */
  call(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>;
};
