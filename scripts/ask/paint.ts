import { escapeHiddenControls } from "../../src/lib/escape-invisible.ts";

export type Style = "dim" | "bold" | "red" | "yellow" | "cyan";
export type Paint = (style: Style, text: string) => string;

const CODES: Record<Style, number> = { dim: 2, bold: 1, red: 31, yellow: 33, cyan: 36 };

export const paintPlain: Paint = (_style, text) => text;
export const paintColoured: Paint = (style, text) => `\u001b[${CODES[style]}m${text}\u001b[0m`;

const OWN_CODES = new RegExp(`(\\u001b\\[(?:${[0, ...Object.values(CODES)].join("|")})m)`);

/** Escapes all control characters but the codes of these styles. The text of models and agents is not trusted. */
export function escapeTerminalControls(text: string): string {
  const parts = text.replaceAll(/\r\n?/g, "\n").split(OWN_CODES);
  return parts.map((part, i) => (i % 2 === 1 ? part : escapeHiddenControls(part))).join("");
}
