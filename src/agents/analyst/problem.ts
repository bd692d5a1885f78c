/** What is wrong with a blueprint, and where in it. */
export type Problem = { readonly place: string; readonly message: string };
