import type { Block } from "../../protocol/page.ts";
import { shortened } from "../../protocol/shortened.ts";
import { harmless } from "./markdown.ts";

type Props = Readonly<Record<string, unknown>>;

/** Characters of one text on a page. */
const MOST_TEXT = 20_000;

/** A block that says what is the matter, in the place of one that cannot be there. */
export function noteOf(id: string, message: string): Block {
  return { id, type: "markdown", content: harmless(message), variant: "warning" };
}

export function markdownOf(id: string, text: string, props: Props): Block {
  const variant = (["insight", "warning", "success"] as const).find((known) => known === props["variant"]) ?? "default";
  const content = shortened(text, MOST_TEXT);
  return { id, type: "markdown", content: harmless(content.trim()), variant };
}
