/** The last row of a page: the time by which its list is sorted, in ms since the epoch, and its id. */
export type ListPosition = { readonly at: number; readonly id: string };

/** The position before the newest row. */
export const LIST_START: ListPosition = { at: Number.MAX_SAFE_INTEGER, id: "" };
