// Reads arithmetic in words and signs: 678乘以8776 · the sum of 3 and 4 · 15% of 80 · 再乘以2. It never computes; it
// rewrites the words into an expression for a tool. Text that is not arithmetic from end to end is not read.

import { parseNumeralAt } from "../../language/numerals.ts";
import { normalizeCharacters, removePolitePrefixes } from "../../language/text-spans.ts";

/** `$last` is the last result; `$sum`, `$product`, `$difference` and `$mean` combine all earlier results. */
export type SumTemplate = string;

const NUMBER = String.raw`\d+(?:\.\d+)?(?:e[+-]?\d+)?`;
const GROUP = String.raw`\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`;
/** An operand: a number, a reference, a group or a function call. */
const A = String.raw`(?:${NUMBER}|pi\b|\$\w+|(?:sqrt|cbrt|abs|round)?${GROUP})[!²³]?`;
const SIGNED = String.raw`(?:(?<![\d)] ?)-\s?)?${A}`;
const LIST = String.raw`${SIGNED}(?:\s*(?:,\s*and |,|、|\band\b|[和与跟])\s*${SIGNED})+`;

const OPENING =
  /^(?:(?:what(?:'s| is| are| do i get (?:if|when) i)?|how much (?:is|are)|calculate|compute|work out|evaluate|find|get|tell me|give me|show me|take|the (?:result|value) of|and|then|now|so)\b[:\s]*|(?:请|帮我|计算|算(?:一?下|出)?|求出?|告诉我|给我|把|将|那么?|再|然后)[:\s]*)+/;
const CLOSING =
  /(?:[\s,.。]|\b(?:is|equals?|be|please|together|equal to)$|=|[?!？！](?<!\d!)|的?(?:结果|(?<!绝对|平均)值|得数)$|(?:等于|得|是)?(?:多少|几|什么)$|[呢吗啊]$|一共$|等于$|是$)+$/;

type Rewrite = readonly [pattern: RegExp, replacement: string | ((...groups: string[]) => string)];
const rule = (pattern: string, replacement: Rewrite[1]): Rewrite => [new RegExp(pattern, "g"), replacement];

const SIGNS = new Map([
  ["sum", "+"],
  ["total", "+"],
  ["和", "+"],
  ["总和", "+"],
  ["product", "*"],
  ["积", "*"],
  ["乘积", "*"],
  ["difference", "-"],
  ["差", "-"],
  ["quotient", "/"],
  ["商", "/"],
]);

function joinList(name: string, list: string): string {
  const operands = list.split(/\s*(?:,\s*and |,|、|\band\b|[和与跟])\s*/).filter((operand) => operand !== "");
  const sign = SIGNS.get(name);
  return sign === undefined ? `((${operands.join("+")})/${operands.length})` : `(${operands.join(sign)})`;
}

/** Words that contain numerals or are changed by the numerals beside them. */
const BEFORE_NUMERALS: readonly Rewrite[] = [
  rule("百分之", "percent:"),
  rule("的?一半|减半", "/2"),
  rule("翻一?倍|的?[两二]倍", "*2"),
  rule(String.raw`\b(?:a |one )?half of\b|\bhalve\b`, "(1/2)*"),
  rule(
    String.raw`\b(a|one|two|three) (third|quarter|fifth|tenth)s? of\b`,
    (_, over = "", under = "") =>
      `(${{ a: 1, one: 1, two: 2, three: 3 }[over]}/${{ third: 3, quarter: 4, fifth: 5, tenth: 10 }[under]})*`,
  ),
  rule(
    String.raw`\b(?:both|all|the|these|those)(?: of)?(?: the| these| those| two| three| both| all)* (?:results|numbers|values|answers)\b|\bthem\b|\bboth\b|(?:这|那|前面的?)?[两三]个?(?:结果|数字?)|它们|所有的?结果|这些(?:结果|数字?)`,
    "$all",
  ),
  rule(
    String.raw`\b(?:the |that |this )(?:previous |last |random )?(?:result|answer|number|value|sum|product)\b(?! of| between)|\bits\b|\bit\b|\bthat\b|(?:上面|前面|刚才|上一步|得到|生成)的?(?:结果|答案|数字?|随机数)|[这那]个?(?:结果|随机数|数字?)|^随机数|(?<!的)结果|它|其(?=平方|立方|一半)`,
    "$last",
  ),
  rule("π|圆周率", "pi"),
  rule(String.raw`\bnegative |负(?=[\d零一二两三四五六七八九十(])`, "-"),
];

const RULES: readonly Rewrite[] = [
  rule(`percent:\\s*(${NUMBER})`, "$1%"),
  rule(String.raw`(${NUMBER})\s*(?:percent\b|per cent\b)`, "$1%"),
  rule(`(\\d+)分之(\\d+)`, "($2/$1)"),
  rule(String.raw`[¥€£]|\$(?=\d)|(?<=\d)\s*(?:元|块钱?|美元|dollars?\b|euros?\b|people\b|ways\b)`, ""),
  rule(
    String.raw`(?:the )?square root of (${A})|√\s*(${A})|根号\s*(${A})|(${A})\s*的?(?:平方根|square root)`,
    (_, ...parts) => `sqrt(${pick(parts)})`,
  ),
  rule(
    String.raw`(?:the )?cube root of (${A})|(${A})\s*的?(?:立方根|cube root)`,
    (_, ...parts) => `cbrt(${pick(parts)})`,
  ),
  rule(
    String.raw`(?:the )?absolute value of (${SIGNED})|(${SIGNED})\s*的绝对值`,
    (_, ...parts) => `abs(${pick(parts)})`,
  ),
  rule(String.raw`(?:the )?factorial of (${A})|(${A})\s*(?:的?阶乘|factorial\b)`, (_, ...parts) => `${pick(parts)}!`),
  rule(
    String.raw`(?:the )?(?:square|平方) (?:of )?(${SIGNED})|(${SIGNED})\s*(?:的?平方|squared\b)|(\$last) square\b`,
    (_, ...parts) => `(${pick(parts)})^2`,
  ),
  rule(
    String.raw`(?:the )?cube of (${SIGNED})|(${SIGNED})\s*(?:的?立方|cubed\b)`,
    (_, ...parts) => `(${pick(parts)})^3`,
  ),
  rule(`(${A})²`, "$1^2"),
  rule(`(${A})³`, "$1^3"),
  rule(`(${SIGNED})\\s*的\\s*(${A})\\s*次[方幂]`, "($1)^$2"),
  rule(String.raw`(${A}) (?:raised )?to the (\d+)(?:st|nd|rd|th) power`, "$1^$2"),
  rule(String.raw`\b(?:double|twice) (${A})|(${A}) doubled\b`, (_, ...parts) => `${pick(parts)}*2`),
  rule(String.raw`\btriple (${A})`, "$1*3"),
  rule(`(${A})\\s*的\\s*(${NUMBER})\\s*倍`, "$1*$2"),
  rule(`(${A})\\s*的\\s*(${NUMBER})%`, "$1*($2/100)"),
  rule(`(${A})\\s*的\\s*(${GROUP})`, "$1*$2"),
  rule(String.raw`(${NUMBER})% off (?:of )?(${A})`, "$2*(1-$1/100)"),
  rule(String.raw`(${NUMBER})% (?:of|tip on|tax on|discount on) (?:a )?(${A})`, "($1/100)*$2"),
  rule(String.raw`(?<![\d/] ?)(\d+/\d+) of (${A})`, "($1)*$2"),
  rule(`(?:按|打)\\s*(\\d)(?:\\.(\\d))?折`, "*0.$1$2"),
  rule(
    String.raw`(?:the )?remainder (?:of|when) (${A}) (?:is )?divided by (${A})|(${A})\s*除以?\s*(${A})\s*的?余数?`,
    (_, ...parts) => parts.slice(0, 4).filter(Boolean).join("%"),
  ),
  rule(
    String.raw`(?:the )?(sum|total|product|difference|quotient|average|mean) (?:of|between) (${LIST})`,
    (_, name = "", list = "") => joinList(name, list),
  ),
  rule(`(${LIST})\\s*[的之](总?和|乘?积|差|商|平均[数值分]?)`, (_, list = "", name = "") => joinList(name, list)),
  rule(`(${LIST})\\s*(?:加起来|相加)`, (_, list = "") => joinList("sum", list)),
  rule(
    String.raw`(?:the |their |give me |and )*(?:sum|total)(?: of)? \$all|\b(?:add|sum)(?: up)? \$all(?: together| up)?|\$all\s*(?:的?总?和|相加|加起来)|^(?:把)?相加|^(?:and )?(?:their|the) (?:sum|total)$|^sum(?: up)?$|^求?(?:总?和)$`,
    "$sum",
  ),
  rule(
    String.raw`(?:their|the) product(?: of \$all)?$|multiply \$all(?: together)?$|\$all\s*(?:的?乘?积|相乘)|^相乘`,
    "$product",
  ),
  rule(String.raw`(?:their|the) difference(?: of \$all)?$|\$all\s*(?:的?差|相减)`, "$difference"),
  rule(
    String.raw`(?:their |the )?(?:average|mean)(?: of \$all)?$|\$all\s*的?平均[数值分]?|^求?平均[数值分]?$`,
    "$mean",
  ),
  rule(String.raw`\badd (${SIGNED}) to (${SIGNED})`, "$2+$1"),
  rule(String.raw`\b(?:subtract|deduct|take) (${SIGNED}) from (${SIGNED})`, "$2-$1"),
  rule(String.raw`从\s*(${A})\s*里?[减]去?\s*(${A})`, "$1-$2"),
  rule(String.raw`\b(?:add|sum) (${LIST})`, (_, list = "") => joinList("sum", list)),
  rule(String.raw`\bmultiply (${SIGNED}) (?:by|with|and) (${SIGNED})`, "$1*$2"),
  rule(String.raw`\b(?:divide|split|share) (${SIGNED}) (?:evenly |equally )?(?:by|between|among) (${SIGNED})`, "$1/$2"),
  rule(String.raw`\bincrease (${SIGNED}) by\b`, "$1+"),
  rule(String.raw`\b(?:decrease|reduce) (${SIGNED}) by\b`, "$1-"),
  rule(String.raw`\b(?:plus|added to|increased by|^add)\b|加上?|[➕]`, "+"),
  rule(String.raw`^add\b`, "+"),
  rule(String.raw`\b(?:minus|less|decreased by)\b|^subtract\b|减去?|[−–➖]`, " - "),
  rule(String.raw`\b(?:times|multiplied by)\b|^multiply by\b|乘以?|[×✕✖·]\ufe0f?|(?<=[\d)] ?)x(?= ?[\d(])`, "*"),
  rule(String.raw`\b(?:divided by|over)\b|^divide by\b|除以|[÷➗]`, "/"),
  rule(String.raw`\bmod(?:ulo)?\b|取模|模`, "%"),
  rule(String.raw`\b(?:raised )?to the power(?: of)?\b|\*\*`, "^"),
];

function pick(parts: readonly unknown[]): string {
  return String(parts.find((part) => typeof part === "string" && part !== "") ?? "");
}

const ROUNDED =
  /^(.*?)[\s,]*(?:(?:and |then )?(?:rounded |round (?:it |the result |that )?)?to (\d+) (?:decimals?|decimal places?|digits?|places)|[并再]?(?:结果)?(?:四舍五入|保留|精确到|到)+(?:小数点后)?(\d+)位(?:小数)?)$/;
const ROUNDED_WHOLE =
  /^(.*?)[\s,]*(?:rounded|(?:rounded )?to the nearest (?:integer|whole number)|四舍五入|取整)$|^round (.*)$/;

/** Returns the expression of a text that is arithmetic from end to end, in ordinary notation; null for other text. */
export function readSum(text: string): SumTemplate | null {
  const folded = normalizeCharacters(removePolitePrefixes(text).replace(/！+$/, "")).toLowerCase().trim();
  // Dates and times of day are not differences.
  if (/\d{4}-\d{1,2}-\d{1,2}|\d:\d/.test(folded)) return null;
  const said = folded.replace(CLOSING, "").replace(OPENING, "").replace(CLOSING, "");
  const words = replaceNumerals(applyRules(said, BEFORE_NUMERALS));
  return /\d|\$|\bpi\b|[和均]|sum|total|product|average|mean|difference|相/.test(words)
    ? (readRounded(words) ?? readPlain(words))
    : null;
}

function readRounded(words: string): SumTemplate | null {
  const [, some, english, chinese] = ROUNDED.exec(words) ?? [];
  const [, whole, behind] = ROUNDED_WHOLE.exec(words) ?? [];
  const inner = (some ?? whole ?? behind)?.replace(/^round /, "");
  if (inner === undefined) return null;
  const value = inner === "" ? "$last" : (readPlain(inner) ?? (isOperand(inner) ? inner : null));
  const digits = english ?? chinese;
  return value === null ? null : digits === undefined ? `round(${value})` : `round(${value}, ${digits})`;
}

function readPlain(words: string): SumTemplate | null {
  const expression = groupSteps(applyRules(words, RULES)).trim();
  const complete = /^(?:[+*/%^]|- )/.test(expression) ? `$last ${expression}` : expression;
  const isRead =
    isExpression(complete) &&
    (/[-+*/%^!]|[a-z]\(/.test(complete.replace(/^-/, "")) || /^\$(?:sum|product|difference|mean)$/.test(complete));
  return isRead ? formatNotation(complete) : null;
}

/** `128 / 4 再 + 6`, `3 + 4, all * 2`: a later step works on everything before it. */
function groupSteps(text: string): string {
  const parts = text.split(/\s*(?:[,、]|再|然后|\bthen\b)\s*(?:(?:and|then|all|再)\s*)*(?=[-+*/%^]\s*[\d($])/);
  return parts.reduce((left, step) => `${/^[^-+*/%^]*$/.test(left) ? left : `(${left})`} ${step}`);
}

function applyRules(text: string, rules: readonly Rewrite[]): string {
  let words = text;
  for (const [pattern, replacement] of rules)
    words =
      typeof replacement === "string"
        ? words.replace(pattern, replacement.replace(/\$(?=[a-z])/g, "$$$$"))
        : words.replace(pattern, replacement);
  return words;
}

/** Replaces numerals by digits: 一百二十三 · twenty-one · 1,234. */
export function replaceNumerals(text: string): string {
  let result = "";
  for (let at = 0; at < text.length;) {
    const isInside = /[a-z]/i.test(text[at] ?? "") && /[a-z$]/i.test(text[at - 1] ?? "");
    const numeral = isInside ? null : parseNumeralAt(text, at);
    result += numeral === null ? (text[at] ?? "") : numeral.value;
    at = numeral?.end ?? at + 1;
  }
  return result;
}

const UNIT = String.raw`[-+]?(?:${NUMBER}|pi|\$(?:last|sum|product|difference|mean)|#)[!%]?`;
const FLAT = String.raw`${UNIT}(?:[-+*/%^]${UNIT})*`;
const WHOLE = new RegExp(`^${FLAT}$`);
const SINGLE = new RegExp(`^${UNIT}$`);
const CLOSED = new RegExp(String.raw`(?:sqrt|cbrt|abs|round)?\(${FLAT}(?:,\d+)?\)`, "g");

/** Reduces groups from the inside to the outside until a flat chain of operands remains. */
function isExpression(text: string): boolean {
  let rest = text.replace(/\s+/g, " ");
  if (/[\w.)] [\w.($]/.test(rest.replace(/\b(?:sqrt|cbrt|abs|round)\b/g, ""))) return false;
  rest = rest.replaceAll(" ", "");
  for (let next = rest.replace(CLOSED, "#"); next !== rest; next = rest.replace(CLOSED, "#")) rest = next;
  return WHOLE.test(rest);
}

function isOperand(text: string): boolean {
  return SINGLE.test(text.trim());
}

/** Writes binary operators with spaces around them and removes parentheses around single operands and the whole. */
function formatNotation(expression: string): string {
  const spaced = expression
    .replace(/\s+/g, "")
    .replace(/(?<=[\w.)!%])([-+*/%^])(?=[-+]?[\w.($])/g, " $1 ")
    .replace(/(\d)e ([-+]) (\d)/g, "$1e$2$3")
    .replace(/,/g, ", ");
  const single = spaced.replace(new RegExp(String.raw`(?<![a-z])\((${NUMBER}|\$\w+)\)`, "g"), "$1");
  const inner = /^\(([^()]*(?:\([^()]*\)[^()]*)*)\)$/.exec(single)?.[1];
  return inner ?? single;
}

/** Inserts earlier results, oldest first; null if there are too few. */
export function resolveSum(template: SumTemplate, results: readonly string[]): string | null {
  const last = results.at(-1);
  if (!template.includes("$")) return template;
  if (last === undefined || (!template.includes("$last") && results.length < 2)) return null;
  const values = results.map(parenthesize);
  return template
    .replaceAll("$last", parenthesize(last))
    .replaceAll("$sum", values.join(" + "))
    .replaceAll("$product", values.join(" * "))
    .replaceAll("$difference", values.join(" - "))
    .replaceAll("$mean", `(${values.join(" + ")}) / ${values.length}`);
}

function parenthesize(value: string): string {
  return value.startsWith("-") ? `(${value})` : value;
}

/** Formats `678 * 8776` as `678 × 8776`. */
export function formatExpression(expression: string): string {
  return expression.replaceAll(" * ", " × ").replaceAll(" / ", " ÷ ");
}
