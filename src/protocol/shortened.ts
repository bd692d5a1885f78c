// Truncation of texts.

/** Returns at most `maxChars` UTF-16 units. A surrogate pair cut at the end becomes one U+FFFD. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).toWellFormed();
}

/** Like `truncate`, with an ellipsis in addition if something was removed. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${cut(text, most)}…`;
}
