import type { Figure } from "./figure.ts";

const COLUMNS = ["", "Orrery", "hand-written", "ratio", "target", ""] as const;

/** Formats the figures as a Markdown table with columns aligned for a terminal. */
export function formatTable(figures: readonly Figure[]): string {
  const cells = [COLUMNS, ...figures.map(formatRow)];
  const widths = COLUMNS.map((_, i) => Math.max(3, ...cells.map((row) => row[i]?.length ?? 0)));
  const lines = cells.map((row) =>
    formatLine(row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))),
  );
  const separator = formatLine(widths.map((width, i) => (i === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)));
  return [lines[0], separator, ...lines.slice(1)].join("\n");
}

function formatLine(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function formatRow({ name, unit, orrery, bare, target }: Figure): string[] {
  const ratio = bare === undefined || bare === 0 ? "" : `${formatNumber(orrery / bare)} ×`;
  const verdict = target === undefined ? "" : Number.isNaN(orrery) ? "unknown" : target.isMet ? "met" : "not met";
  return [
    `${name}, ${unit}`,
    formatNumber(orrery),
    bare === undefined ? "" : formatNumber(bare),
    ratio,
    target?.text ?? "",
    verdict,
  ];
}

/** Formats with three significant digits; from 100 on as an integer. */
function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}
