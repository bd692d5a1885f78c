/** Of one statement's JSON, in UTF-16 units of at most three bytes each: a value has no more than 2 MB. */
const LIST_CHARS = 500_000;

/** JSON texts as JSON lists, each within the limit. */
export function jsonListsOf(texts: readonly string[]): string[] {
  const lists: string[][] = [];
  let left = 0;
  for (const text of texts) {
    if (text.length + 1 > left) {
      lists.push([]);
      left = LIST_CHARS;
    }
    lists.at(-1)?.push(text);
    left -= text.length + 1;
  }
  return lists.map((list) => `[${list.join(",")}]`);
}
