// The tokenizer of conditions.

export type ConditionToken = {
  /** `text` is a quoted text. Unknown characters become a `sign`, which the parser rejects. */
  readonly kind: "word" | "text" | "sign" | "end";
  /** Without quotation marks. */
  readonly text: string;
  /** The column of its first character, from 1. */
  readonly column: number;
};

const TOKEN_PATTERN =
  /"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<sign>&&|\|\||[!=]==?|<>|<=|>=|[!=<>()])|(?<word>[+-]?[\p{L}\p{N}_][\p{L}\p{N}_.-]*)|(?<other>\S)/gu;

/** Splits a condition into tokens. The last token has the kind `end`. Does not throw. */
export function tokenizeCondition(text: string): readonly ConditionToken[] {
  const tokens = [...text.matchAll(TOKEN_PATTERN)].map((match): ConditionToken => {
    const { double, single, sign, word, other = "" } = match.groups ?? {};
    const column = match.index + 1;
    const quoted = double ?? single;
    if (quoted !== undefined) return { kind: "text", text: quoted, column };
    if (word !== undefined) return { kind: "word", text: word, column };
    return { kind: "sign", text: sign ?? other, column };
  });
  return [...tokens, { kind: "end", text: "", column: text.length + 1 }];
}
