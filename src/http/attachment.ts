import { cut } from "../protocol/shortened.ts";

/** The header by which a browser keeps an answer as a file, under a name that every system can write. */
export function attachment(title: string, ending: "html" | "csv", plainly: string): string {
  const name = `${cut(title.toWellFormed(), 100)}.${ending}`;
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plainly}.${ending}"; filename*=UTF-8''${encoded}`;
}
