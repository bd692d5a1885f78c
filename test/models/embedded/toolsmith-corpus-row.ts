/** The request, and for each of its sub-tasks in order `category/tool arguments = result`. */
export type Row = readonly [request: string, ...steps: readonly string[]];
