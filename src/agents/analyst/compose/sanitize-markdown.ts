// Sanitizes markdown that a model wrote: no HTML, no images, and links only to http and https. Renderers escape as
// well; this keeps the text itself safe for readers that do not.
//
// A `MarkdownSanitizer` serves one streamed text. It owns the undecided end of the text received so far: characters
// that could begin a tag, an image or a link stay pending until the next delta decides. Call `feed` for each delta in
// order and `flush` once at the end. The concatenated results equal `sanitizeMarkdown` of the whole text.

/** The end of a text whose meaning depends on the next characters: the start of a tag, an image or a link target. */
const UNDECIDED_END = /(?:<!?|!|\](?:[(:]\s*\S{0,8})?)$/;

/** Streaming form of `sanitizeMarkdown` for one text. */
export class MarkdownSanitizer {
  #pending = "";

  /** Returns the sanitized part that is decided. */
  feed(delta: string): string {
    const text = this.#pending + delta;
    const at = UNDECIDED_END.exec(text)?.index ?? text.length;
    this.#pending = text.slice(at);
    return sanitizeMarkdown(text.slice(0, at));
  }

  /** Returns the pending rest. Call it once, after the last delta. */
  flush(): string {
    const rest = this.#pending;
    this.#pending = "";
    return sanitizeMarkdown(rest);
  }
}

/**
 * Returns the text with tags escaped, images turned into links, and other link schemes broken so that they stay plain
 * text.
 */
export function sanitizeMarkdown(text: string): string {
  return text
    .replace(/<(?=[a-z/!?])/gi, "&lt;")
    .replace(/!(?=\[)/g, "")
    .replace(/\]\((?!\s*https?:\/\/)/gi, "] (")
    .replace(/\]:(?!\s*https?:\/\/)/gi, "] :");
}
