// Reads arithmetic in words and signs: 678乘以8776 · the sum of 3 and 4 · 15% of 80 · 再乘以2. It never computes; it
// rewrites the words into an expression for a tool. Text that is not arithmetic from end to end is not read.

import { parseNumeralAt } from "../../language/numerals.ts";
import { normalizeCharacters, removePolitePrefixes } from "../../language/text-spans.ts";

/** `$last` is the last result; `$sum`, `$product` and `$mean` combine all earlier results. */
export type SumTemplate = string;

const NUMBER = String.raw`\d+(?:\.\d+)?(?:e[+-]?\d+)?`;
const GROUP = String.raw`\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`;
/** An operand: a number, a reference, a group or a square root. */
const A = String.raw`(?:${NUMBER}|pi\b|\$\w+|(?:sqrt)?${GROUP})`;
const SIGNED = String.raw`(?:(?<![\d)] ?)-\s?)?${A}`;
const JOINT = String.raw`\s*(?:,\s*and |,|、|\band\b|[和与])\s*`;
const LIST = String.raw`${SIGNED}(?:${JOINT}${SIGNED})+`;

const OPENING =
  /^(?:(?:what(?:'s| is| are)?|how much (?:is|are)|calculate|compute|work out|evaluate|find|get|tell me|give me|show me|take|the (?:result|value) of|and|then|now|so)\b[:\s]*|(?:请|帮我|计算|算(?:一?下|出)?|求出?|告诉我|给我|把|将|那么?|再|然后)[:\s]*)+/;
const CLOSING =
  /(?:[\s,.。]|\b(?:is|equals?|please|together|equal to)$|=|[?!？！]|的?(?:结果|(?<!平均)值|得数)$|(?:等于|得|是)?(?:多少|几|什么)$|[呢吗啊]$|一共$|等于$|是$)+$/;

/** Patterns with their replacements. `{A}`, `{S}`, `{L}` and `{N}` stand for an operand, a signed one, a list and a number. */
type Rewrite = readonly [pattern: RegExp, replacement: string];

function parseRules(table: string): Rewrite[] {
  const parts: Readonly<Record<string, string>> = { A, S: SIGNED, L: LIST, N: NUMBER };
  const rows = table.trim().split("\n");
  return rows.map((row): Rewrite => {
    const [pattern = "", replacement = ""] = row.split(/ ⇒ ?/);
    const source = pattern.trim().replace(/\{([ASLN])\}/g, (_, name: string) => parts[name] ?? "");
    return [new RegExp(source, "g"), replacement.trim().replace(/\$(?=[a-z])/g, "$$$$")];
  });
}

/** Words that contain numerals or are changed by the numerals beside them. */
const BEFORE_NUMERALS = parseRules(String.raw`
百分之 ⇒ percent:
的?一半 ⇒ /2
翻一?倍|的?[两二]倍 ⇒ *2
\bhalf of\b|\bhalve\b ⇒ (1/2)*
\b(?:both|all|the|these|those)(?: of)?(?: the| these| two| three| both| all)* (?:results|numbers|answers)\b|\bthem\b|\bboth\b ⇒ $all
(?:这|那|前面的?)?[两三]个?(?:结果|数字?)|它们|所有的?结果|这些(?:结果|数字?) ⇒ $all
\b(?:the|that|this) (?:last |random )?(?:result|answer|number)\b(?! of| between)|\bits\b|\bit\b|\bthat\b ⇒ $last
(?:上面|刚才|得到|生成)的?(?:结果|答案|数字?|随机数)|[这那]个?(?:结果|随机数|数字?)|^随机数|(?<!的)结果|它|其(?=平方|一半) ⇒ $last
π|圆周率 ⇒ pi
\bnegative |负(?=[\d零一二两三四五六七八九十(]) ⇒ -`);

const RULES = parseRules(String.raw`
percent:\s*({N}) ⇒ $1%
({N})\s*percent\b ⇒ $1%
(?:(?:the )?square root of |√\s*|根号\s*)({A}) ⇒ sqrt($1)
({A})\s*的?平方根 ⇒ sqrt($1)
\b(?:the )?square (?:of )?({S}) ⇒ ($1)^2
({S})\s*(?:的?平方|squared\b) ⇒ ($1)^2
({A})\s*的\s*({A})\s*次[方幂] ⇒ ($1)^$2
({A}) (?:raised )?to the (\d+)(?:st|nd|rd|th) power ⇒ $1^$2
\b(?:double|twice) ({A}) ⇒ $1*2
({A})\s*的\s*({N})\s*倍 ⇒ $1*$2
({A})\s*的\s*({N})% ⇒ $1*($2/100)
({N})% of ({A}) ⇒ ($1/100)*$2
(?:the )?(?:sum|total) of ({L})|\b(?:add|sum) ({L})|({L})\s*[的之]总?和|({L})\s*(?:加起来|相加) ⇒ add[$1$2$3$4]
(?:the )?(?:average|mean) of ({L})|({L})\s*[的之]平均[数值]? ⇒ mean[$1$2]
(?:the |their |and )*(?:sum|total)(?: of)? \$all|\b(?:add|sum)(?: up)? \$all(?: together| up)?|\$all\s*(?:的?总?和|相加|加起来) ⇒ $sum
^(?:把)?相加|^(?:and )?(?:their|the) (?:sum|total)$|^sum(?: up)?$|^求?总?和$ ⇒ $sum
(?:their|the) product(?: of \$all)?$|multiply \$all(?: together)?$|\$all\s*(?:的?乘?积|相乘)|^相乘 ⇒ $product
(?:their |the )?(?:average|mean)(?: of \$all)?$|\$all\s*的?平均[数值]?|^求?平均[数值]?$ ⇒ $mean
\badd ({S}) to ({S}) ⇒ $2+$1
\b(?:subtract|take) ({S}) from ({S}) ⇒ $2-$1
从\s*({A})\s*里?减去?\s*({A}) ⇒ $1-$2
\bmultiply ({S}) (?:by|with|and) ({S}) ⇒ $1*$2
\bdivide ({S}) by ({S}) ⇒ $1/$2
\bplus\b|^add\b|加上? ⇒ +
\bminus\b|^subtract\b|减去?|[−–] ⇒ ~-
\b(?:times|multiplied by)\b|^multiply by\b|乘以?|[×✕✖·]\ufe0f?|(?<=[\d)] ?)x(?= ?[\d(]) ⇒ *
\bdivided by\b|^divide by\b|除以|÷ ⇒ /
\b(?:raised )?to the power(?: of)?\b|\*\* ⇒ ^`);

/** Adds a list of operands: `add[3, 4 and 5]`, `mean[3、4]`. */
function addLists(text: string): string {
  return text.replace(/(add|mean)\[([^\]]*)\]/g, (_, kind: string, list: string) => {
    const operands = list.split(new RegExp(JOINT)).filter((operand) => operand !== "");
    return kind === "add" ? `(${operands.join("+")})` : `((${operands.join("+")})/${operands.length})`;
  });
}

const applyRules = (text: string, rules: readonly Rewrite[]): string =>
  rules.reduce((words, [pattern, replacement]) => addLists(words.replace(pattern, replacement)), text);

/** Returns the expression of a text that is arithmetic from end to end, in ordinary notation; null for other text. */
export function readSum(text: string): SumTemplate | null {
  const folded = normalizeCharacters(removePolitePrefixes(text)).toLowerCase().trim();
  // Dates and times of day are not differences.
  if (/\d{4}-\d{1,2}-\d{1,2}|\d:\d/.test(folded)) return null;
  const said = folded.replace(CLOSING, "").replace(OPENING, "").replace(CLOSING, "");
  const words = replaceNumerals(applyRules(said, BEFORE_NUMERALS));
  if (!/\d|\$|\bpi\b|[和均]|sum|total|product|average|mean|相/.test(words)) return null;
  const expression = groupSteps(applyRules(words, RULES)).trim();
  // The tilde marks a spoken minus: minus 3 goes on from the last result, -3 is a number.
  const complete = (/^[+*/%^~]/.test(expression) ? `$last ${expression}` : expression).replaceAll("~", " ");
  const isWork = /[-+*/%^]|[a-z]\(/.test(complete.replace(/^-/, "")) || /^\$(?:sum|product|mean)$/.test(complete);
  return isWork && isExpression(complete) ? formatNotation(complete) : null;
}

/** `128 / 4 再 + 6`, `3 + 4, all * 2`: a later step works on everything before it. */
function groupSteps(text: string): string {
  const parts = text.split(/\s*(?:[,、]|再|然后|\bthen\b)\s*(?:(?:and|then|all|再)\s*)*(?=~?[-+*/%^]\s*[\d($])/);
  return parts.reduce((left, step) => `${/^[^-+*/%^]*$/.test(left) ? left : `(${left})`} ${step}`);
}

/** Replaces numerals by digits: 一百二十三 · twenty-one · 1,234. */
function replaceNumerals(text: string): string {
  let result = "";
  for (let at = 0; at < text.length;) {
    const isInside = /[a-z]/i.test(text[at] ?? "") && /[a-z$]/i.test(text[at - 1] ?? "");
    const numeral = isInside ? null : parseNumeralAt(text, at);
    result += numeral === null ? (text[at] ?? "") : numeral.value;
    at = numeral?.end ?? at + 1;
  }
  return result;
}

const UNIT = String.raw`[-+]?(?:${NUMBER}|pi|\$(?:last|sum|product|mean)|#)%?`;
const FLAT = String.raw`${UNIT}(?:[-+*/%^]${UNIT})*`;
const WHOLE = new RegExp(`^${FLAT}$`);
const CLOSED = new RegExp(String.raw`(?:sqrt)?\(${FLAT}\)`, "g");

/** Reduces groups from the inside to the outside until a flat chain of operands remains. */
function isExpression(text: string): boolean {
  let rest = text.replace(/\s+/g, " ");
  if (/[\w.)] [\w.($]/.test(rest.replace(/\bsqrt\b/g, ""))) return false;
  rest = rest.replaceAll(" ", "");
  for (let next = rest.replace(CLOSED, "#"); next !== rest; next = rest.replace(CLOSED, "#")) rest = next;
  return WHOLE.test(rest);
}

/** Writes binary operators with spaces around them and removes parentheses around single operands and the whole. */
function formatNotation(expression: string): string {
  const spaced = expression
    .replace(/\s+/g, "")
    .replace(/(?<=[\w.)%])([-+*/%^])(?=[-+]?[\w.($])/g, " $1 ")
    .replace(/(\d)e ([-+]) (\d)/g, "$1e$2$3");
  const single = spaced.replace(new RegExp(String.raw`(?<![a-z])\((${NUMBER}|\$\w+)\)`, "g"), "$1");
  return /^\(([^()]*(?:\([^()]*\)[^()]*)*)\)$/.exec(single)?.[1] ?? single;
}

/** Inserts earlier results, oldest first; null if there are too few. */
export function resolveSum(template: SumTemplate, results: readonly string[]): string | null {
  const values = results.map((value) => (value.startsWith("-") ? `(${value})` : value));
  const last = values.at(-1);
  if (!template.includes("$")) return template;
  if (last === undefined || (!template.includes("$last") && values.length < 2)) return null;
  return template
    .replaceAll("$last", last)
    .replaceAll("$sum", values.join(" + "))
    .replaceAll("$product", values.join(" * "))
    .replaceAll("$mean", `(${values.join(" + ")}) / ${values.length}`);
}

/** Formats `678 * 8776` as `678 × 8776`. */
export const formatExpression = (expression: string): string =>
  expression.replaceAll(" * ", " × ").replaceAll(" / ", " ÷ ");
