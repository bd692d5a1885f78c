/** The request, and for each of its subtasks in order `category/tool arguments = result`. */
export type ToolsmithRow = readonly [request: string, ...steps: readonly string[]];
