/** The namespaces of the first screen. The build puts them into a part of their own; see `catalogue.ts`. */
export const INITIAL_NAMESPACES = ["shell", "common", "conversations", "composer"] as const;
