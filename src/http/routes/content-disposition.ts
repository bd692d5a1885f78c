// The Content-Disposition header (RFC 6266).

import { truncate } from "../../lib/truncate.ts";

/**
 * Formats a header that makes a browser save the response as a file. `filename` is the ASCII name `fallbackName` for
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
