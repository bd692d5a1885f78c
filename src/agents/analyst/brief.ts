// Talk is short, whatever a model says: it ends before its 300th word. A Chinese character is a word.

import { Harmless } from "./markdown.ts";

const MOST_WORDS = 299;
const HAN = /[\u3400-\u9fff]/;

/** Cuts a text while it arrives, and makes it harmless. What is fed in is answered with what may be shown of it. */
export class Brief {
  /** Blank characters behind the last word: nobody knows yet whether another follows. */
  #blank = "";
  #words = 0;
  #isInWord = false;
  readonly #harmless = new Harmless();

  feed(piece: string): string {
    if (this.#isFull) return "";
    const fresh = this.#harmless.feed(this.#within(piece));
    return this.#isFull ? `${fresh}${this.#harmless.end()} …` : fresh;
  }

  /** The rest, at the end. */
  end(): string {
    return this.#isFull ? "" : this.#harmless.feed(this.#blank) + this.#harmless.end();
  }

  get #isFull(): boolean {
    return this.#words > MOST_WORDS;
  }

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
