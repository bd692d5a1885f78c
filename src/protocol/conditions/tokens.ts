// The words and signs of a condition.

export type Token = {
  /** `text` is quoted. What no condition may hold is a sign that nobody expects. */
  readonly kind: "word" | "text" | "sign" | "end";
  /** Without quotation marks. */
  readonly text: string;
  /** Where it begins, from 1. */
  readonly column: number;
};

const TOKEN =
  /"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<sign>&&|\|\||[!=]==?|<>|<=|>=|[!=<>()])|(?<word>[+-]?[\p{L}\p{N}_][\p{L}\p{N}_.-]*)|(?<other>\S)/gu;

/** Ends with a token of the kind `end`. */
export function tokensOf(text: string): readonly Token[] {
  const tokens = [...text.matchAll(TOKEN)].map((match): Token => {
    const { double, single, sign, word, other = "" } = match.groups ?? {};
    const column = match.index + 1;
    const quoted = double ?? single;
    if (quoted !== undefined) return { kind: "text", text: quoted, column };
    if (word !== undefined) return { kind: "word", text: word, column };
    return { kind: "sign", text: sign ?? other, column };
  });
  return [...tokens, { kind: "end", text: "", column: text.length + 1 }];
}
