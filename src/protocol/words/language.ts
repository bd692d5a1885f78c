export type Language = "zh" | "en";

/** A sentence in both languages. */
export type Both = Readonly<Record<Language, string>>;

const HAN = /[\u3400-\u9fff]/g;
const KANA = /[\u3040-\u30ff]/;
/** Characters that carry the grammar of a Chinese sentence: a quoted Chinese word has none of them. */
const PARTICLES = /[的把吗呢请是了多少几让帮我将给再算]/;

/**
 * The language to answer in. `fallback` is a tag such as `zh-CN`: it decides where the text has no
 * words of its own, as in `3+4`.
 */
export function languageOf(text: string, fallback?: string): Language {
  const own = text.replace(/"[^"]*"|“[^“”]*”|「[^「」]*」|`[^`]*`/g, " ");
  const han = own.match(HAN)?.length ?? 0;
  const latin = own.match(/[a-z]{2,}/gi)?.length ?? 0;
  if (han === 0 && latin === 0) return fallback?.toLowerCase().startsWith("zh") === true ? "zh" : "en";
  if (han === 0 || KANA.test(own)) return "en";
  return PARTICLES.test(own) || han >= latin ? "zh" : "en";
}
