/** The maximum length of one bound JSON value, in UTF-16 units of at most three bytes: D1 limits a value to 2 MB. */
const MAX_LIST_CHARS = 500_000;

/** Groups JSON texts, in order, into JSON arrays within the length limit. A longer text gets an array of its own. */
export function splitJsonLists(texts: readonly string[]): string[] {
  const lists: string[][] = [];
  let left = 0;
  for (const text of texts) {
    if (text.length + 1 > left) {
      lists.push([]);
      left = MAX_LIST_CHARS;
    }
    lists.at(-1)?.push(text);
    left -= text.length + 1;
  }
  return lists.map((list) => `[${list.join(",")}]`);
}
