// Text that every system keeps unchanged. Databases cut texts at NUL characters, and encoders replace lone surrogates.

import * as z from "zod";

/** Replaces NUL characters and lone surrogates by the replacement character U+FFFD. */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

/** A text from outside, as `toStorableText` returns it. */
export const storableTextSchema = z.string().overwrite(toStorableText);
