// The Content-Disposition header (RFC 6266).

import { cut } from "../protocol/shortened.ts";

/**
 * Formats a header that makes a browser save the response as a file. `filename` is the ASCII name `fallbackName` for
 * old clients; `filename*` is the title, at most 100 UTF-16 units, encoded by RFC 8187.
 */
export function attachment(title: string, ending: "html" | "csv", plainly: string): string {
  const name = `${cut(title.toWellFormed(), 100)}.${ending}`;
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plainly}.${ending}"; filename*=UTF-8''${encoded}`;
}
