// Limits and sanitizes the text of an answer while it streams. An answer ends after 299 words, whatever the model
// sends; a Chinese character counts as one word.
//
// An `AnswerLimiter` serves one answer. It owns the word count and a `MarkdownSanitizer`. Call `feed` for each delta in
// order, and `flush` once at the end. Blank characters are held back until another word follows, so the output never
// ends with trailing blanks because of the limit. After the limit every call returns an empty text.

import { Harmless } from "./markdown.ts";

const MOST_WORDS = 299;
const HAN = /[\u3400-\u9fff]/;

/** Streaming limiter for one answer. The concatenated results are the text that may be shown. */
export class Brief {
  /** Blank characters after the last word, held back until another word follows. */
  #blank = "";
  #words = 0;
  #isInWord = false;
  readonly #harmless = new Harmless();

  /** Returns the part of the text that may be shown now. The call that exceeds the limit ends with an ellipsis. */
  feed(piece: string): string {
    if (this.#isFull) return "";
    const fresh = this.#harmless.feed(this.#within(piece));
    return this.#isFull ? `${fresh}${this.#harmless.end()} …` : fresh;
  }

  /** Returns the remaining text. Call it once, after the last delta. */
  end(): string {
    return this.#isFull ? "" : this.#harmless.feed(this.#blank) + this.#harmless.end();
  }

  get #isFull(): boolean {
    return this.#words > MOST_WORDS;
  }

  /** Returns the part of the delta within the word limit. */
  #within(piece: string): string {
    let text = "";
    for (const char of piece) {
      const isBlank = /\s/.test(char);
      const isHan = HAN.test(char);
      if (!isBlank && (isHan || !this.#isInWord)) this.#words++;
      if (this.#isFull) return text;
      this.#isInWord = !isBlank && !isHan;
      if (!isBlank) text += this.#blank + char;
      this.#blank = isBlank ? this.#blank + char : "";
    }
    return text;
  }
}
