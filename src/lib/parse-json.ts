// Parsing of JSON text without exceptions.

/** Parses JSON. Returns undefined if the text is not JSON; JSON itself has no undefined. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses JSON, or returns the text itself if it is not JSON. */
export function parseJsonOrText(text: string): unknown {
  const json = tryParseJson(text);
  return json === undefined ? text : json;
}
