// Markdown that cannot do anything but be read: no HTML, no images, links to http and https alone. Whoever shows it
// escapes what they have to; this keeps the text itself harmless, also for readers that do not.

/**
 * What is not settled yet at the end of a piece: what comes next decides whether it opens a tag, a link or an image.
 */
const UNSETTLED = /(?:<!?|!|\](?:[(:]\s*\S{0,8})?)$/;

/** Makes text harmless while it arrives. The pieces together are what `harmless` makes of the whole. */
export class Harmless {
  #held = "";

  feed(piece: string): string {
    const text = this.#held + piece;
    const at = UNSETTLED.exec(text)?.index ?? text.length;
    this.#held = text.slice(at);
    return harmless(text.slice(0, at));
  }

  /** The rest, at the end. */
  end(): string {
    const rest = this.#held;
    this.#held = "";
    return harmless(rest);
  }
}

/** Tags are shown as text; a link elsewhere falls apart into its words; an image becomes a link. */
export function harmless(text: string): string {
  return text
    .replace(/<(?=[a-z/!?])/gi, "&lt;")
    .replace(/!(?=\[)/g, "")
    .replace(/\]\((?!\s*https?:\/\/)/gi, "] (")
    .replace(/\]:(?!\s*https?:\/\/)/gi, "] :");
}
