// What is paid on entering a function, a turn of a loop and a `catch`.

import { g, type Tools } from "./guards.ts";
import { hasRest } from "./nodes.ts";
import { STEPS_PER_BYTE } from "./limits.ts";
import { childrenOf, isFunction, isLoop, type AnyNode } from "./tree.ts";

type Of<T extends AnyNode["type"]> = Extract<AnyNode, { type: T }>;
type FunctionNode = Of<"FunctionDeclaration" | "FunctionExpression" | "ArrowFunctionExpression">;
type LoopNode = Of<"ForStatement" | "ForInStatement" | "ForOfStatement" | "WhileStatement" | "DoWhileStatement">;

export function functionNode(tools: Tools, node: FunctionNode): string {
  const { splice, render } = tools;
  const pay = payment(weightOf(node, true));
  const params = new Map<AnyNode, string>();
  let prelude = "";
  node.params.forEach((param, at) => {
    if (!hasRest(param)) return;
    const pattern = param.type === "AssignmentPattern" ? param.left : param;
    const name = `$g_param${at}`;
    params.set(param, param === pattern ? name : splice(param, new Map([[pattern, name]])));
    prelude += `let ${render(pattern)}=${g("takenApart")}(${name});`;
  });
  if (node.body.type === "BlockStatement")
    return splice(node, params.set(node.body, opened(render(node.body), `${pay};${prelude}`)));
  const value = render(node.body);
  // The value may stand in parentheses, where a block could not.
  const body = prelude === "" ? `(${pay},${value})` : `(()=>{${pay};${prelude}return (${value});})()`;
  return splice(node, params.set(node.body, body));
}

/** Puts something first into a block, after its directives. */
function opened(block: string, first: string): string {
  return `{${first}${block.slice(1)}`;
}

export function loopNode({ splice, body, argument }: Tools, node: LoopNode): string {
  const replaced = new Map<AnyNode, string>([
    [node.body, ` ${opened(body(node.body), `${payment(weightOf(node, true))};`)}`],
  ]);
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

/** Pays for a whole program, loops and functions aside. */
export function programPayment(program: AnyNode): string {
  return payment(weightOf(program, true));
}

/** Inline, because it happens all the time. */
function payment(weight: number): string {
  return `(${g("budget")}.left-=${weight})<0&&${g("more")}()`;
}

/** What one run through a node costs, functions and loops inside aside, which pay for themselves. */
function weightOf(node: AnyNode, isTop: boolean): number {
  if (!isTop && isFunction(node)) return FUNCTION;
  if (!isTop && isLoop(node)) return node.type === "ForStatement" && node.init ? 2 + weightOf(node.init, false) : 4;
  let weight = 1 + STEPS_PER_BYTE * bytesOf(node);
  for (const child of childrenOf(node)) weight += weightOf(child, false);
  return weight;
}

function bytesOf(node: AnyNode): number {
  const own = BYTES[node.type] ?? 0;
  if (node.type === "ArrayExpression") return own + node.elements.length * 12;
  if (node.type !== "ObjectExpression") return own;
  // A position as a name costs the object a table.
  const hasPositions = node.properties.some(
    (each) => each.type === "Property" && each.key.type === "Literal" && typeof each.key.value === "number",
  );
  return own + node.properties.length * 12 + (hasPositions ? 200 : 0);
}

const FUNCTION = 64 * STEPS_PER_BYTE;

/** What a node allocates, at most. */
const BYTES: Readonly<Record<string, number>> = {
  ArrayExpression: 56,
  ObjectExpression: 64,
  NewExpression: 64,
  ClassExpression: 800,
  ClassDeclaration: 800,
  MethodDefinition: 64,
  PropertyDefinition: 24,
  ArrayPattern: 8,
};
