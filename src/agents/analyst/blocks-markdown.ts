// Creates markdown blocks with sanitized text.

import type { Block } from "../../protocol/page.ts";
import { shortened } from "../../protocol/shortened.ts";
import { harmless } from "./markdown.ts";

type Props = Readonly<Record<string, unknown>>;

/** Maximum number of characters of one text on a page. */
const MOST_TEXT = 20_000;

/** Returns a warning block that replaces a block which could not be created. */
export function noteOf(id: string, message: string): Block {
  return { id, type: "markdown", content: harmless(message), variant: "warning" };
}

/** Returns a markdown block. Truncates and sanitizes the text; an unknown `variant` becomes `default`. */
export function markdownOf(id: string, text: string, props: Props): Block {
  const variant = (["insight", "warning", "success"] as const).find((known) => known === props["variant"]) ?? "default";
  const content = shortened(text, MOST_TEXT);
  return { id, type: "markdown", content: harmless(content.trim()), variant };
}
