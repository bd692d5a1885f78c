// A file from a person's disk as a table that can be sent.

/** Of one table, as the server has it. */
export const MAX_BYTES = 12 * 1024 * 1024;

/** What it is called: the file, without its ending. */
export function nameOf(file: Pick<File, "name">): string {
  return (
    file.name
      .replace(/\.[^.]*$/, "")
      .trim()
      .slice(0, 200) || file.name
  );
}

/** Told apart by the ending: browsers call a CSV whatever the system calls it. */
export function tableOf(file: File): Blob {
  const type = /\.json$/i.test(file.name) || /json/.test(file.type) ? "application/json" : "text/csv";
  return new Blob([file], { type });
}

export function sizeText(bytes: number, language: string): string {
  const [value, unit] =
    bytes < 1_000 ? [bytes, "byte"] : bytes < 1_000_000 ? [bytes / 1_000, "kilobyte"] : [bytes / 1_000_000, "megabyte"];
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumFractionDigits: unit === "megabyte" ? 1 : 0,
  }).format(value);
}
