// What is paid on entering a function, a turn of a loop and a `catch`.

import { g, type Tools } from "./guards.ts";
import { hasRest } from "./nodes.ts";
import type { AnyNode } from "./tree.ts";

type Of<T extends AnyNode["type"]> = Extract<AnyNode, { type: T }>;
type FunctionNode = Of<"FunctionDeclaration" | "FunctionExpression" | "ArrowFunctionExpression">;
type LoopNode = Of<"ForStatement" | "ForInStatement" | "ForOfStatement" | "WhileStatement" | "DoWhileStatement">;

export function functionNode(tools: Tools, node: FunctionNode): string {
  const { splice, render } = tools;
  const pay = tools.pay(node);
  const params = new Map<AnyNode, string>();
  let prelude = "";
  let isMoved = false;
  node.params.forEach((param, at) => {
    prepay(tools, param);
    isMoved ||= hasRest(param);
    // What comes after may speak of what is taken apart only then.
    if (isMoved && param.type !== "Identifier" && param.type !== "RestElement")
      prelude += moved(tools, param, `$g_param${at}`, params);
  });
  if (node.body.type === "BlockStatement") {
    const block = render(node.body);
    const paid = prelude === "" ? opened(block, `${pay};`) : `{${pay};${prelude}${block}}`;
    return splice(node, params.set(node.body, paid));
  }
  const value = render(node.body);
  // The value may stand in parentheses, where a block could not.
  const body = prelude === "" ? `(${pay},${value})` : `(()=>{${pay};${prelude}return (${value});})()`;
  return splice(node, params.set(node.body, body));
}

/** Gives a parameter another name, and what declares it from that. */
function moved(
  { splice, render, argument }: Tools,
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
  return `var ${render(pattern)}=${hasRest(pattern) ? `${g("takenApart")}(${value})` : value};`;
}

/** What stands in for a missing argument runs before the body of its function can pay. */
function prepay(tools: Tools, pattern: AnyNode | null): void {
  switch (pattern?.type) {
    case "AssignmentPattern":
      if (pattern.right.type !== "Literal")
        tools.taken.set(pattern.right, `(${tools.pay(pattern)},${tools.argument(pattern.right)})`);
      return prepay(tools, pattern.left);
    case "ArrayPattern":
      return pattern.elements.forEach((element) => prepay(tools, element));
    case "ObjectPattern":
      return pattern.properties.forEach((part) => prepay(tools, part.type === "Property" ? part.value : part));
    default:
  }
}

/** Puts something first into a block. */
function opened(block: string, first: string): string {
  return `{${first}${block.slice(1)}`;
}

export function loopNode({ splice, body, argument, pay }: Tools, node: LoopNode): string {
  const replaced = new Map<AnyNode, string>([[node.body, ` ${opened(body(node.body), `${pay(node)};`)}`]]);
  if (node.type === "ForInStatement") replaced.set(node.right, `${g("members")}(${argument(node.right)})`);
  return splice(node, replaced);
}

export function catchClause({ splice, render, seen }: Tools, node: Of<"CatchClause">): string {
  const { param, body } = node;
  if (!param) {
    const text = opened(render(body), `${g("caught")}($g_error);`);
    return `catch($g_error)${text}`;
  }
  if (param.type === "Identifier")
    return splice(node, new Map([[body, opened(render(body), `${g("caught")}(${param.name});`)]]));
  seen.add(param);
  const first = `${g("caught")}($g_error);let ${render(param)}=${g("takenApart")}($g_error);`;
  return splice(
    node,
    new Map<AnyNode, string>([
      [param, "$g_error"],
      [body, opened(render(body), first)],
    ]),
  );
}
