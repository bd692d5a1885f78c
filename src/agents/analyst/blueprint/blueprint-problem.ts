// The problem type of blueprint checks.

/**
 * A problem of a blueprint. `place` is its path, such as `computeGraph.nodes.2.toolName`; empty for the whole
 * blueprint.
 */
export type BlueprintProblem = { readonly place: string; readonly message: string };
