/** What is wrong with a plan, and where in it. */
export type Problem = { readonly path: string; readonly message: string };
