// The code of the calculator tool: a parser by recursive descent over numbers or, to keep all digits, big integers.

export const EXPRESSION_CODE = String.raw`function run({ expression }) {
  // Whole numbers keep all their digits.
  const toNumber = /^[\d\s+*^!()-]+$/.test(expression) ? BigInt : Number;
  const tokens = expression.match(/\d+(?:\.\d+)?(?:e[-+]?\d+)?|[a-z]+|\S/g) ?? [];
  const functions = { "": (value) => value, sqrt: Math.sqrt, cbrt: Math.cbrt, abs: Math.abs, round: (value, digits = 0) => Number(value.toFixed(digits)) };
  const levels = [["+", "-"], ["*", "/", "%"]];
  let at = 0;
  const next = () => tokens[(at += 1) - 1];
  function take(token) {
    if (next() !== token) throw new Error("The expression cannot be read. 算式读不懂：" + expression);
  }
  function chain(level) {
    if (level === 2) return signed();
    let left = chain(level + 1);
    while (levels[level].includes(tokens[at])) {
      const sign = next();
      const right = chain(level + 1);
      if ((sign === "/" || sign === "%") && Number(right) === 0) throw new Error("Nothing can be divided by zero. 除数不能为零。");
      left = sign === "+" ? left + right : sign === "-" ? left - right : sign === "*" ? left * right : sign === "/" ? left / right : left % right;
    }
    return left;
  }
  function signed() {
    if (tokens[at] !== "-") return raised();
    next();
    return -signed();
  }
  function raised() {
    let value = atom();
    for (; tokens[at] === "!"; next()) {
      if (value < 0 || value > 1000) throw new Error("Factorials are known of 0 to 1000. 只能算 0 到 1000 的阶乘。");
      let product = toNumber(1);
      for (let factor = toNumber(2); factor <= value; factor += toNumber(1)) product *= factor;
      value = product;
    }
    if (tokens[at] !== "^") return value;
    next();
    const exponent = signed();
    if (exponent > 5000) throw new Error("The result is too large. 结果太大。");
    return exponent < 0 ? Number(value) ** Number(exponent) : value ** exponent;
  }
  function atom() {
    const token = tokens[at] ?? "";
    if (token === "pi") return next() && Math.PI;
    if (/^\d/.test(token)) return toNumber(next());
    const name = token === "(" ? "" : next();
    take("(");
    const values = [chain(0)];
    for (; tokens[at] === ","; values.push(chain(0))) next();
    take(")");
    return functions[name](...values);
  }
  const value = chain(0);
  take(undefined);
  if (!Number.isFinite(Number(value)) && toNumber === Number) throw new Error("There is no result. 没有结果。");
  if (toNumber === BigInt && typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return Number(Number(value).toPrecision(15));
}`;
