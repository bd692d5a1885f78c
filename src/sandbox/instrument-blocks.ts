// Instruments functions, loops and `catch` clauses. Each entry of a function and each iteration of a loop pays first
// for everything in its body that is not a function or a loop.

import { getGuardName, type InstrumentTools } from "./guards.ts";
import { hasRest } from "./node-predicates.ts";
import type { AnyNode } from "./syntax-tree.ts";

/** A node of one syntax type. */
type BlockSyntax<T extends AnyNode["type"]> = Extract<AnyNode, { type: T }>;
type FunctionSyntax = BlockSyntax<"FunctionDeclaration" | "FunctionExpression" | "ArrowFunctionExpression">;
type LoopSyntax = BlockSyntax<
  "ForStatement" | "ForInStatement" | "ForOfStatement" | "WhileStatement" | "DoWhileStatement"
>;

/**
 * Renders a function that pays before its body. Parameters that are destructured with a rest are destructured in the
 * body, after the payment.
 */
export function instrumentFunction(tools: InstrumentTools, node: FunctionSyntax): string {
  const { splice, render } = tools;
  const pay = tools.pay(node);
  const params = new Map<AnyNode, string>();
  let prelude = "";
  let isMoved = false;
  node.params.forEach((param, at) => {
    payDefaults(tools, param);
    isMoved ||= hasRest(param);
    // Later parameters may refer to the destructured names, so they are moved as well.
    if (isMoved && param.type !== "Identifier" && param.type !== "RestElement")
      prelude += moveParameter(tools, param, `$g_param${at}`, params);
  });
  if (node.body.type === "BlockStatement") {
    const block = render(node.body);
    const paid = prelude === "" ? prependToBlock(block, `${pay};`) : `{${pay};${prelude}${block}}`;
    return splice(node, params.set(node.body, paid));
  }
  const value = render(node.body);
  // The value may be in parentheses, where a block is not allowed.
  const body = prelude === "" ? `(${pay},${value})` : `(()=>{${pay};${prelude}return (${value});})()`;
  return splice(node, params.set(node.body, body));
}

/** Replaces a parameter by a plain name and returns the declaration that destructures it. */
function moveParameter(
  { splice, render, argument }: InstrumentTools,
  param: AnyNode,
  name: string,
  params: Map<AnyNode, string>,
): string {
  let pattern = param;
  let text = name;
  let value = name;
  if (param.type === "AssignmentPattern") {
    const { left, right } = param;
    pattern = left;
    text = splice(param, new Map<AnyNode, string>().set(left, name).set(right, "void 0"));
    value = `${name}===void 0?${argument(right)}:${name}`;
  }
  params.set(param, text);
  return `var ${render(pattern)}=${hasRest(pattern) ? `${getGuardName("takenApart")}(${value})` : value};`;
}

/** Makes default values pay for themselves: they run before the body can pay. */
function payDefaults(tools: InstrumentTools, pattern: AnyNode | null): void {
  switch (pattern?.type) {
    case "AssignmentPattern":
      if (pattern.right.type !== "Literal")
        tools.replacements.set(pattern.right, `(${tools.pay(pattern)},${tools.argument(pattern.right)})`);
      return payDefaults(tools, pattern.left);
    case "ArrayPattern":
      return pattern.elements.forEach((element) => payDefaults(tools, element));
    case "ObjectPattern":
      return pattern.properties.forEach((part) => payDefaults(tools, part.type === "Property" ? part.value : part));
    default:
  }
}

/** Inserts a statement at the start of a block. */
function prependToBlock(block: string, first: string): string {
  return `{${first}${block.slice(1)}`;
}

/** Renders a loop that pays in each iteration. `for … in` pays for the members before it lists them. */
export function instrumentLoop({ splice, body, argument, pay }: InstrumentTools, node: LoopSyntax): string {
  const replaced = new Map<AnyNode, string>([[node.body, ` ${prependToBlock(body(node.body), `${pay(node)};`)}`]]);
  if (node.type === "ForInStatement") replaced.set(node.right, `${getGuardName("members")}(${argument(node.right)})`);
  return splice(node, replaced);
}

/** Renders a `catch` that first calls the guard `caught`, which rethrows the end of the budget. */
export function instrumentCatch(
  { splice, render, checkedPatterns }: InstrumentTools,
  node: BlockSyntax<"CatchClause">,
): string {
  const { param, body } = node;
  if (!param) {
    const text = prependToBlock(render(body), `${getGuardName("caught")}($g_error);`);
    return `catch($g_error)${text}`;
  }
  if (param.type === "Identifier")
    return splice(node, new Map([[body, prependToBlock(render(body), `${getGuardName("caught")}(${param.name});`)]]));
  checkedPatterns.add(param);
  const first = `${getGuardName("caught")}($g_error);let ${render(param)}=${getGuardName("takenApart")}($g_error);`;
  return splice(
    node,
    new Map<AnyNode, string>([
      [param, "$g_error"],
      [body, prependToBlock(render(body), first)],
    ]),
  );
}
