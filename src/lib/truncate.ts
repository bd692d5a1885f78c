// Truncation of texts.

/** Returns at most `maxChars` UTF-16 units. A surrogate pair cut at the end becomes one U+FFFD. */
export function truncate(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, maxChars).toWellFormed();
}

/** Like `truncate`, with an ellipsis in addition if something was removed. */
export function truncateWithEllipsis(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${truncate(text, maxChars)}…`;
}
