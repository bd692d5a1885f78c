// The language of a reader, as stated by HTTP headers and by language tags.

import type { Language } from "./detect-language.ts";

/** Returns the language of the catalogue for a language tag such as `zh-Hant-TW`; undefined if there is none. */
export function toCatalogueLanguage(tag: string): Language | undefined {
  const [primary = ""] = tag.trim().toLowerCase().split(/[-_]/);
  return primary === "zh" || primary === "en" ? primary : undefined;
}

/**
 * Returns the supported language that `Accept-Language` prefers (RFC 9110, section 12.5.4); `en` without the header,
 * and if it contains no supported language.
 */
export function parseAcceptLanguage(header: string | null): Language {
  const ranges = (header ?? "").slice(0, MAX_HEADER_CHARS).split(",").flatMap(parseLanguageRange);
  return ranges.toSorted((a, b) => b.weight - a.weight)[0]?.language ?? "en";
}

/** Browsers send less than 200 characters. */
const MAX_HEADER_CHARS = 1_024;

type LanguageRange = { readonly language: Language; readonly weight: number };

/** Parses a range such as `zh-CN;q=0.8`. Returns no range for other languages and for the weight 0. */
function parseLanguageRange(range: string): LanguageRange[] {
  const [tag = "", ...parameters] = range.split(";").map((part) => part.trim());
  const language = toCatalogueLanguage(tag);
  const [, q = "1"] = /^q=(.*)$/i.exec(parameters.find((parameter) => /^q=/i.test(parameter)) ?? "") ?? [];
  const weight = Number(q);
  return language === undefined || !(weight > 0) ? [] : [{ language, weight }];
}
