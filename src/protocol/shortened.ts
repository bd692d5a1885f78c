/** The first `most` UTF-16 units of a text, and no half of a pair at their end. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).toWellFormed();
}

/** The same, with a mark behind it where something is missing. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${cut(text, most)}…`;
}
