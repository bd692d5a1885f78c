// Responses that a browser saves as a file.

import { truncate } from "../../lib/truncate.ts";

/**
 * Formats the header Content-Disposition (RFC 6266), which makes a browser save the response as a file. `filename` is the ASCII name `fallbackName` for
 * old clients; `filename*` is the title, at most 100 UTF-16 units, encoded by RFC 8187.
 */
export function formatContentDisposition(title: string, extension: "html" | "csv", fallbackName: string): string {
  const fileName = `${truncate(title.toWellFormed(), 100)}.${extension}`;
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${fallbackName}.${extension}"; filename*=UTF-8''${encoded}`;
}

/** Returns CSV as a file with this title. */
export function respondWithCsv(csv: string, title: string, fallbackName: string): Response {
  return new Response(csv, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": formatContentDisposition(title, "csv", fallbackName),
    },
  });
}
