// What a dataset may measure. Beyond any of these it is refused, with the number in the message.

export const MAX_BYTES = 5 * 1024 * 1024;
export const MAX_ROWS = 100_000;
export const MAX_COLUMNS = 200;
/** UTF-8 bytes of one cell. */
export const MAX_CELL_BYTES = 32 * 1024;
/** UTF-8 bytes of the texts of one row: a stored row has to stay below two megabytes. */
export const MAX_ROW_BYTES = 1024 * 1024;
export const MAX_HEADER_CHARS = 200;
/** Rows that are shown with a dataset. */
export const PREVIEW_ROWS = 20;
/** JSON characters of the rows of one answer. */
export const MAX_ANSWER_CHARS = 4 * 1024 * 1024;
/** Rows that a join may come to before it is filtered. */
export const MAX_JOINED_ROWS = 2_000_000;
/** Conditions of one filter: an object's SQLite binds a hundred values. */
export const MAX_CONDITIONS = 40;
