// Extracts the search terms of texts. Tokenizers such as those of SQLite FTS5 do not split Chinese and other scripts
// without spaces into words, so a text and a query are split here, in the same way.

/** `hints` are weak terms: single characters, and numbers, which are mostly values of one request. */
export type SearchTerms = { readonly words: readonly string[]; readonly hints: readonly string[] };

/** The maximum length of the text that is read, in UTF-16 units. */
const MAX_TEXT_CHARS = 2_000;
const MAX_TERM_CHARS = 40;

const LETTER_RUN = /[\p{L}\p{M}\p{N}]+/gu;
/** Scripts without spaces between words. */
const UNSPACED_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

const WEAK_TERM = /^(?:\p{N}+|\p{L})$/u;

/** Stop words: words, characters and pairs of characters that occur in descriptions of anything. */
const STOP_WORDS = new Set(
  `a an and any are as at be by can do for from function get give given gives how i if in into is it its let me my of
   on or please result results return returns so tell that the them then there these this times to tool two use uses using
   was what when which will with you your
   的 了 和 与 或 在 是 我 你 请 把 将 给 个 一 这 那 以 之 并 其 为 对 从 到 用 吗 呢 吧
   一个 使用 函数 可以 工具 指定 结果 给定 返回 需要`.split(/\s+/),
);

/** Suffixes of related English words. The first match is replaced. */
const SUFFIXES: readonly (readonly [RegExp, string])[] = [
  [/ications?$/, "i"],
  [/(?<=..)at(?:ions?|ing|ed|es?|ors?)$/, "at"],
  [/(?<=..)(?:ies|ied|ying|iers?|y)$/, "i"],
  [/(?<=...)(?:ings?|ions?|ed|ers?|ors?|es|e|(?<!s)s)$/, ""],
];

/**
 * Returns the distinct terms of the first `MAX_TEXT_CHARS` of a text, in order of occurrence: stems of words, and pairs
 * of characters in scripts without spaces. Stop words are left out.
 */
export function extractTerms(text: string): SearchTerms {
  const words = new Set<string>();
  const hints = new Set<string>();
  for (const [run] of foldText(text).matchAll(LETTER_RUN)) {
    for (const [dense] of run.matchAll(UNSPACED_SCRIPTS)) {
      const characters = [...dense];
      for (const [i, character] of characters.entries()) {
        const pair = `${characters[i - 1] ?? ""}${character}`;
        if (i > 0 && !STOP_WORDS.has(pair)) words.add(pair);
        if (!STOP_WORDS.has(character)) hints.add(character);
      }
    }
    for (const word of run.split(UNSPACED_SCRIPTS)) {
      if (word === "" || STOP_WORDS.has(word)) continue;
      const term = stemWord(word).slice(0, MAX_TERM_CHARS);
      if (WEAK_TERM.test(word)) hints.add(term);
      else words.add(term);
    }
  }
  return { words: [...words], hints: [...hints] };
}

/** Normalizes width and case and removes accents (NFKD, then NFKC). */
function foldText(text: string): string {
  const plain = text
    .slice(0, MAX_TEXT_CHARS)
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/g, "");
  return plain.normalize("NFKC").toLowerCase();
}

/** Returns an approximate stem of an English word; other words unchanged. */
function stemWord(word: string): string {
  if (!/^[a-z]{3,}$/.test(word)) return word;
  const ending = SUFFIXES.find(([pattern]) => pattern.test(word));
  const stem = ending === undefined ? word : word.replace(ending[0], ending[1]);
  return stem.replace(/([a-z])\1$/, "$1");
}
