// Detection of the language of a text.

/** The languages of the runtime's own sentences. */
export type Language = "zh" | "en";

/** A sentence in both languages. */
export type LocalizedText = Readonly<Record<Language, string>>;

const HAN = /[\u3400-\u9fff]/g;
const KANA = /[\u3040-\u30ff]/;
/** Function words of Chinese. A single Chinese noun in an English sentence contains none of them. */
const PARTICLES = /[的把吗呢请是了多少几让帮我将给再算]/;

/**
 * Returns the language of the answer to a text. Quoted parts are ignored. `fallback` is a language tag such as `zh-CN`.
 * It decides if the text contains no words, as in `3+4`. All languages except Chinese, also Japanese, yield `en`.
 */
export function detectLanguage(text: string, fallback?: string): Language {
  const unquoted = text.replace(/"[^"]*"|“[^“”]*”|「[^「」]*」|`[^`]*`/g, " ");
  const han = unquoted.match(HAN)?.length ?? 0;
  const latin = unquoted.match(/[a-z]{2,}/gi)?.length ?? 0;
  if (han === 0 && latin === 0) return fallback?.toLowerCase().startsWith("zh") === true ? "zh" : "en";
  if (han === 0 || KANA.test(unquoted)) return "en";
  return PARTICLES.test(unquoted) || han >= latin ? "zh" : "en";
}

/** Returns the language of the answer to a request to an agent. */
export function detectRequestLanguage(request: {
  readonly query: string;
  readonly metadata: { readonly language?: string | undefined };
}): Language {
  return detectLanguage(request.query, request.metadata.language);
}
