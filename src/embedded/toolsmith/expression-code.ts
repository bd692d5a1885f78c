// The code of the calculator tool: a parser by recursive descent over numbers or, to keep all digits, big integers.

export const EXPRESSION_CODE = String.raw`function run({ expression }) {
  // Whole numbers keep all their digits.
  const toNumber = /^[\d\s+*^()-]+$/.test(expression) ? BigInt : Number;
  const tokens = expression.match(/\d+(?:\.\d+)?(?:e[-+]?\d+)?|[a-z]+|\S/g) ?? [];
  let at = 0;
  const next = () => tokens[(at += 1) - 1];
  function take(token) {
    if (next() !== token) throw new Error("The expression cannot be read. 算式读不懂：" + expression);
  }
  function add() {
    let left = multiply();
    while (["+", "-"].includes(tokens[at])) left = next() === "+" ? left + multiply() : left - multiply();
    return left;
  }
  function multiply() {
    let left = negate();
    while (["*", "/", "%"].includes(tokens[at])) {
      const [sign, right] = [next(), negate()];
      if (sign !== "*" && Number(right) === 0) throw new Error("Nothing can be divided by zero. 除数不能为零。");
      left = sign === "*" ? left * right : sign === "/" ? left / right : left % right;
    }
    return left;
  }
  function negate() {
    if (tokens[at] !== "-") return raise();
    next();
    return -negate();
  }
  function raise() {
    const value = read();
    if (tokens[at] !== "^") return value;
    next();
    const exponent = negate();
    if (exponent > 5000) throw new Error("The result is too large. 结果太大。");
    return exponent < 0 ? Number(value) ** Number(exponent) : value ** exponent;
  }
  function read() {
    const token = next() ?? "";
    if (token === "pi") return Math.PI;
    if (/^\d/.test(token)) return toNumber(token);
    if (token === "sqrt") return Math.sqrt(Number(read()));
    at -= 1;
    take("(");
    const value = add();
    take(")");
    return value;
  }
  const value = add();
  take(undefined);
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (!Number.isFinite(value)) throw new Error("There is no result. 没有结果。");
  return Number(value.toPrecision(15));
}`;
