import type { Figure } from "./figure.ts";

const COLUMNS = ["", "Orrery", "bare", "ratio", "aim", ""] as const;

/** The figures as a Markdown table whose columns also line up in a terminal. */
export function tableOf(figures: readonly Figure[]): string {
  const cells = [COLUMNS, ...figures.map(rowOf)];
  const widths = COLUMNS.map((_, i) => Math.max(3, ...cells.map((row) => row[i]?.length ?? 0)));
  const lines = cells.map((row) =>
    lineOf(row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))),
  );
  const rule = lineOf(widths.map((width, i) => (i === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)));
  return [lines[0], rule, ...lines.slice(1)].join("\n");
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function rowOf({ name, unit, orrery, bare, aim }: Figure): string[] {
  const ratio = bare === undefined || bare === 0 ? "" : `${rounded(orrery / bare)} ×`;
  const verdict = aim === undefined ? "" : Number.isNaN(orrery) ? "unknown" : aim.isMet ? "met" : "not met";
  return [
    `${name}, ${unit}`,
    rounded(orrery),
    bare === undefined ? "" : rounded(bare),
    ratio,
    aim?.words ?? "",
    verdict,
  ];
}

/** Three significant digits, whole numbers from 100 on. */
function rounded(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}
