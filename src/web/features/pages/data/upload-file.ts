// Prepares a local file for upload as a dataset.

/** Size limit of a dataset on the server, in bytes. */
export const MAX_UPLOAD_BYTES = 12 * 1024 * 1024;

/** Returns the file name without its extension, at most 200 UTF-16 units; the whole name if nothing else is left. */
export function getDatasetName(file: Pick<File, "name">): string {
  return (
    file.name
      .replace(/\.[^.]*$/, "")
      .trim()
      .slice(0, 200) || file.name
  );
}

/**
 * Returns the content of a file as JSON if its extension or type says so, otherwise as CSV: the types that browsers
 * report for CSV depend on the system.
 */
export function toUploadBlob(file: File): Blob {
  const type = /\.json$/i.test(file.name) || /json/.test(file.type) ? "application/json" : "text/csv";
  return new Blob([file], { type });
}

/** Formats a number of bytes in decimal units up to megabytes. */
export function formatFileSize(bytes: number, language: string): string {
  const [value, unit] =
    bytes < 1_000 ? [bytes, "byte"] : bytes < 1_000_000 ? [bytes / 1_000, "kilobyte"] : [bytes / 1_000_000, "megabyte"];
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumFractionDigits: unit === "megabyte" ? 1 : 0,
  }).format(value);
}
