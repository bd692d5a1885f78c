/** What a text says in JSON; undefined, which JSON cannot say, for a text that is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The same, or the text itself where it is none. */
export function jsonOrText(text: string): unknown {
  const json = jsonIn(text);
  return json === undefined ? text : json;
}
