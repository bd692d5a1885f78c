// Changes of JSON texts, also to texts that `JSON.stringify` cannot produce.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonPath = readonly string[];

/** JSON texts that are wrong in most places. */
export const MALFORMED_VALUES: readonly string[] = [
  "null",
  "true",
  "0",
  "-1",
  "-0",
  "1.5",
  "1e400",
  "9007199254740993",
  "-99999999999999999999",
  '""',
  '" "',
  '"x y/../z"',
  '"__proto__"',
  '"constructor"',
  '"\'; DROP TABLE log; --"',
  '"../../etc/passwd"',
  '"{{constructor.constructor}}"',
  '"$context.a.b"',
  '"http://127.0.0.1:1/"',
  '"javascript:alert(1)"',
  '"conv-00000000000000000000000000000000"',
  '"task-00000000000000000000000000000000"',
  '"1970-01-01T00:00:00Z"',
  '"zh-Hant-TW-x-a-b"',
  String.raw`"\u0000"`,
  String.raw`"\ud800"`,
  String.raw`"\udfff\ud800"`,
  String.raw`"\u202e\ud83d\ude00\u2028\ufeff"`,
  `"${"e\u0301\u0323".repeat(300)}"`,
  `"${"x".repeat(300)}"`,
  `"${"汉".repeat(70_000)}"`,
  "[]",
  "{}",
  "[null]",
  "[[[]]]",
  '{"a":1,"a":2}',
  '{"":""}',
  '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  '{"toString":1,"valueOf":null,"toJSON":"x","then":{}}',
  `[${"0,".repeat(2_000)}0]`,
  `{${Array.from({ length: 2_000 }, (_, i) => `"k${i}":${i}`).join(",")}}`,
  `${"[".repeat(40)}${"]".repeat(40)}`,
  `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
  `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`,
];

/** Returns the paths of the value and of all values in it. */
export function listPaths(value: Json, path: JsonPath = []): JsonPath[] {
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([key, member]) => listPaths(member as Json, [...path, key]))];
}

/** Formats the value with the one at the path replaced by JSON text, or omitted if `replacement` is null. */
export function formatEdited(value: Json, [key, ...rest]: JsonPath, replacement: string | null): string {
  if (key === undefined) return replacement ?? "";
  const formatMember = (name: string, member: Json) =>
    name === key ? formatEdited(member, rest, replacement) : JSON.stringify(member);
  const isOmitted = (name: string) => name === key && rest.length === 0 && replacement === null;
  const members = Object.entries(value ?? {}).filter(([name]) => !isOmitted(name)) as [string, Json][];
  if (Array.isArray(value)) return `[${members.map(([name, member]) => formatMember(name, member)).join(",")}]`;
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${formatMember(name, member)}`).join(",")}}`;
}
