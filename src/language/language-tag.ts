// Language tags (BCP 47), also in the form of Unicode locale identifiers, with underscores.

/** Returns the canonical form of a language tag, such as `zh-CN` for `zh_cn`; undefined if it is invalid. */
export function parseLanguageTag(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag.replaceAll("_", "-"))[0];
  } catch {
    return undefined;
  }
}

/** Returns the canonical form of a language tag. An invalid tag stays unchanged. */
export function toCanonicalLanguageTag(tag: string): string {
  return parseLanguageTag(tag) ?? tag;
}

export function isLanguageTag(tag: string): boolean {
  return parseLanguageTag(tag) !== undefined;
}
