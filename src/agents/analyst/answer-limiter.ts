// Limits and sanitizes the text of an answer while it streams. An answer ends after 299 words, whatever the model
// sends; a Chinese character counts as one word.
//
// An `AnswerLimiter` serves one answer. It owns the word count and a `MarkdownSanitizer`. Call `feed` for each delta in
// order, and `flush` once at the end. Blank characters are held back until another word follows, so the output never
// ends with trailing blanks because of the limit. After the limit every call returns an empty text.

import { MarkdownSanitizer } from "./compose/sanitize-markdown.ts";

const MAX_WORDS = 299;
const HAN_CHARACTER = /[\u3400-\u9fff]/;

/** Streaming limiter for one answer. The concatenated results are the text that may be shown. */
export class AnswerLimiter {
  /** Blank characters after the last word, held back until another word follows. */
  #pendingBlanks = "";
  #wordCount = 0;
  #isInWord = false;
  readonly #sanitizer = new MarkdownSanitizer();

  /** Returns the part of the text that may be shown now. The call that exceeds the limit ends with an ellipsis. */
  feed(delta: string): string {
    if (this.#isOverLimit) return "";
    const fresh = this.#sanitizer.feed(this.#takeWithinLimit(delta));
    return this.#isOverLimit ? `${fresh}${this.#sanitizer.flush()} …` : fresh;
  }

  /** Returns the remaining text. Call it once, after the last delta. */
  flush(): string {
    return this.#isOverLimit ? "" : this.#sanitizer.feed(this.#pendingBlanks) + this.#sanitizer.flush();
  }

  get #isOverLimit(): boolean {
    return this.#wordCount > MAX_WORDS;
  }

  /** Returns the part of the delta within the word limit. */
  #takeWithinLimit(delta: string): string {
    let text = "";
    for (const char of delta) {
      const isBlank = /\s/.test(char);
      const isHan = HAN_CHARACTER.test(char);
      if (!isBlank && (isHan || !this.#isInWord)) this.#wordCount++;
      if (this.#isOverLimit) return text;
      this.#isInWord = !isBlank && !isHan;
      if (!isBlank) text += this.#pendingBlanks + char;
      this.#pendingBlanks = isBlank ? this.#pendingBlanks + char : "";
    }
    return text;
  }
}
