import { escapeHiddenControls } from "../../src/protocol/text/escape-invisible.ts";

export type Style = "dim" | "bold" | "red" | "yellow" | "cyan";
export type Paint = (style: Style, text: string) => string;

const CODES: Record<Style, number> = { dim: 2, bold: 1, red: 31, yellow: 33, cyan: 36 };

export const plain: Paint = (_style, text) => text;
export const coloured: Paint = (style, text) => `\u001b[${CODES[style]}m${text}\u001b[0m`;

const OWN = new RegExp(`(\\u001b\\[(?:${[0, ...Object.values(CODES)].join("|")})m)`);

/** Text with no command to the terminal but for these colours: models and agents may say anything. */
export function harmless(text: string): string {
  const parts = text.replaceAll(/\r\n?/g, "\n").split(OWN);
  return parts.map((part, i) => (i % 2 === 1 ? part : escapeHiddenControls(part))).join("");
}
