export type Style = "dim" | "bold" | "red" | "yellow" | "cyan";
export type Paint = (style: Style, text: string) => string;

const CODES: Record<Style, number> = { dim: 2, bold: 1, red: 31, yellow: 33, cyan: 36 };

export const plain: Paint = (_style, text) => text;
export const coloured: Paint = (style, text) => `\u001b[${CODES[style]}m${text}\u001b[0m`;
