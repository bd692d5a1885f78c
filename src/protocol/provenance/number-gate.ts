// Lets a streamed text pass only as far as its numbers have a source.
//
// A gate serves one text. A sentence passes at once as long as it contains no number, so the first words are never late.
// From the first possible number on, the rest of the sentence waits for its end, because what follows a number decides
// its meaning: 3 → 3万, 12 → 12:30. Call `feed` for each delta in order, and `flush` once at the end.
// - Without a mark, nothing passes from the first sentence on that has a number without a source.
// - With a mark, everything passes, and the mark follows each such number.
// A reader from whom the text cannot be taken back gets whole sentences.

import { findUnsourcedNumbers, markNumbers, type NumberSources, type UnsourcedNumber } from "./number-sources.ts";

/** A character or word with which a number may begin. */
const POSSIBLE_NUMBER =
  /[\d０-９百十千万亿]|\b(?:ten|eleven|twelve|\w{3,5}teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million)\b/i;
/** The end of a sentence. `No. 5` is none, and neither is a full stop that may continue in the next delta. */
const SENTENCE_END = /\n|[。！？]|[.!?]["'”’)*_]*\s+(?=[\p{Lu}\p{Lo}*_#>([|-])/gu;

/** A longer sentence is checked in parts, so that the work grows with the length of the text only. */
const MAX_SENTENCE_CHARS = 2_000;

/** Streaming check of the numbers in one text. The concatenated results are the text that may be shown. */
export class NumberGate {
  readonly #sources: NumberSources;
  readonly #mark: string | null;
  readonly #onlySentences: boolean;
  readonly #unsourced: UnsourcedNumber[] = [];
  /** The sentence that has not ended yet, and the length of its part that has passed. */
  #sentence = "";
  #passed = 0;

  constructor(sources: NumberSources, mark: string | null, { onlySentences = false } = {}) {
    this.#sources = sources;
    this.#mark = mark;
    this.#onlySentences = onlySentences;
  }

  /** The numbers without a source so far. Their indexes refer to their sentence. */
  get unsourced(): readonly UnsourcedNumber[] {
    return this.#unsourced;
  }

  /** Returns the part of the text that may be shown now. */
  feed(delta: string): string {
    this.#sentence += delta;
    let shown = "";
    let start = 0;
    for (const end of findSentenceEnds(this.#sentence)) {
      shown += this.#pass(this.#sentence.slice(start, end), this.#passed);
      this.#passed = 0;
      start = end;
    }
    this.#sentence = this.#sentence.slice(start);
    if (this.#onlySentences || this.#isShut || POSSIBLE_NUMBER.test(this.#sentence)) return shown;
    shown += this.#sentence.slice(this.#passed);
    this.#passed = this.#sentence.length;
    return shown;
  }

  /** Returns the remaining text. Call it once, after the last delta. */
  flush(): string {
    const shown = this.#pass(this.#sentence, this.#passed);
    this.#sentence = "";
    this.#passed = 0;
    return shown;
  }

  get #isShut(): boolean {
    return this.#mark === null && this.#unsourced.length > 0;
  }

  /** Checks a whole sentence and returns its part that has not passed yet, marked. */
  #pass(sentence: string, passed: number): string {
    const unsourced = findUnsourcedNumbers(sentence, this.#sources);
    this.#unsourced.push(...unsourced);
    if (this.#isShut) return "";
    const rest = unsourced.filter(({ end }) => end > passed);
    return sentence.slice(passed) === "" ? "" : markNumbers(sentence, rest, this.#mark ?? "").slice(passed);
  }
}

/** Returns the indexes at which sentences end. */
function findSentenceEnds(text: string): number[] {
  const ends = [...text.matchAll(SENTENCE_END)].map((match) => match.index + match[0].length);
  if (ends.length > 0 || text.length < MAX_SENTENCE_CHARS) return ends;
  return [text.lastIndexOf(" ") + 1 || text.length];
}
