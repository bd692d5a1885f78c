// Creates markdown blocks with sanitized text.

import type { PageBlock } from "../../../protocol/pages/page.ts";
import { truncateWithEllipsis } from "../../../lib/truncate.ts";
import { sanitizeMarkdown } from "../compose/sanitize-markdown.ts";
import type { SlotProps } from "./slot-props.ts";

/** Maximum number of characters of one text on a page. */
const MAX_TEXT_CHARS = 20_000;

/** Returns a markdown block in the style of a warning. It replaces a block that could not be created. */
export function createNoteBlock(id: string, message: string): PageBlock {
  return { id, type: "markdown", content: sanitizeMarkdown(message), variant: "warning" };
}

/** Returns a markdown block. Truncates the text to 20,000 characters and sanitizes it. Uses only `props.variant`. */
export function createMarkdownBlock(id: string, text: string, props: SlotProps): PageBlock {
  const variant =
    (["insight", "warning", "success"] as const).find((candidate) => candidate === props["variant"]) ?? "default";
  const content = truncateWithEllipsis(text, MAX_TEXT_CHARS);
  return { id, type: "markdown", content: sanitizeMarkdown(content.trim()), variant };
}
