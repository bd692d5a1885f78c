// Preserves line breaks in Markdown, which would otherwise join consecutive lines into one paragraph.

/** Lines that start a block and therefore end a paragraph by themselves. */
const BLOCK_START = /^\s*(?:(?:[-*+]|\d{1,9}[.)])(?:\s|$)|#{1,6}(?:\s|$)|\||=+\s*$|-+\s*$|`{3}|~{3}|\${2})/;
const FENCE_MARKER = /^[\s>]*(?:(`{3,}|~{3,})|(\${2,})[^$]*$)/;

/**
 * Appends a hard line break (two spaces) to each line that the next line would continue. Code, formulas, tables and
 * headings stay unchanged.
 */
export function preserveLineBreaks(text: string): string {
  const lines = text.split(/\r?\n/);
  let fence: string | null = null;
  return lines
    .map((line, i) => {
      const mark = FENCE_MARKER.exec(line)
        ?.slice(1)
        .find((found) => found !== undefined);
      const isInside = fence !== null;
      if (mark !== undefined && fence === null) fence = mark;
      else if (mark !== undefined && fence !== null && mark.startsWith(fence)) fence = null;
      const isOfText = !isInside && mark === undefined && !/^(\s*\||\t| {4}|\s*#{1,6}\s)/.test(line);
      const next = lines[i + 1] ?? "";
      const isFollowed = line.trim() !== "" && next.trim() !== "" && !BLOCK_START.test(next);
      return isOfText && isFollowed && !line.endsWith("\\") ? `${line.trimEnd()}  ` : line;
    })
    .join("\n");
}
