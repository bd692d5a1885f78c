// Instruments a program: rewrites its text so that every operation is paid from the budget of the isolate.
//
// State of one rewrite, shared with the other `instrument-*` modules through `InstrumentTools`: rendered replacements
// of nodes, and the patterns whose value a guard checks.
// - Each node is rendered from the source text and its rendered children; nodes without a rule are copied.
// - Line breaks between tokens are kept, so an error in the module has the line of the source.
// - Operands are evaluated once and in the order of the source. Where a guard would change that, the operation itself
//   becomes a call.
// - Fixed costs are summed per function and loop (`step-cost.ts`). Costs that depend on values are paid in the guards.
// Guards are called by the names in `GUARD_NAMES` with the prefix `$g_`; the policy reserves this prefix.

import type { Guards } from "./isolate/main.ts";
import { catchClause, functionNode, loopNode } from "./guard-blocks.ts";
import { g, type Tools } from "./guards.ts";
import { chainNode } from "./guard-chains.ts";
import { patternNode, takenApart } from "./guard-patterns.ts";
import { bothCheapFor, isCheap, isConstant, isNamed, isOrdered, isSimple, readsPosition } from "./nodes.ts";
import { childrenOf, isFunction, isLoop, type AnyNode } from "./tree.ts";
import { payFor } from "./weights.ts";

/** A node of one syntax type. */
type Of<T extends AnyNode["type"]> = Extract<AnyNode, { type: T }>;

/**
 * Returns the instrumented text of a program. The tree must be that of the source. Throws a `SyntaxError` for a few
 * forms that the policy refuses.
 */
export function guard(source: string, program: AnyNode): string {
  const taken = new Map<AnyNode, string>();
  const pay = payFor(program);

  /** Returns the line breaks between two offsets. */
  const gap = (from: number, to: number): string => "\n".repeat(source.slice(from, to).split("\n").length - 1);

  /** Returns the text of a node with the given replacements; other children are instrumented. */
  function splice(node: AnyNode, replaced?: ReadonlyMap<AnyNode, string>): string {
    let text = "";
    let at = node.start;
    for (const child of childrenOf(node)) {
      text += source.slice(at, child.start) + (replaced?.get(child) ?? render(child));
      at = child.end;
    }
    return text + source.slice(at, node.end);
  }

  /** Returns a call of a guard. Node arguments keep their distance in lines. */
  function call(name: keyof Guards, node: AnyNode, parts: readonly (AnyNode | string)[]): string {
    let at = node.start;
    const given = parts.map((part) => {
      if (typeof part === "string") return part;
      const text = gap(at, part.start) + argument(part);
      at = part.end;
      return text;
    });
    return `${g(name)}(${given.join(",")}${gap(at, node.end)})`;
  }

  function argument(node: AnyNode): string {
    // Next to other arguments, the engine rejects an assignment to a pattern without parentheses.
    return /^(?:Sequence|Assignment)Expression$/.test(node.type) ? `(${render(node)})` : render(node);
  }

  /** Returns an operand of an operator whose result cannot grow. The guard pays for reading it. */
  function operand(node: AnyNode): string {
    return isCheap(node) ? `(${render(node)})` : `${g("operand")}(${argument(node)})`;
  }

  function body(node: AnyNode): string {
    return node.type === "BlockStatement" ? render(node) : `{${render(node)}}`;
  }

  /** Returns the instrumented text of a node. */
  function render(node: AnyNode): string {
    const known = taken.get(node);
    if (known !== undefined) return known;
    if (isFunction(node)) return functionNode(tools, node);
    if (isLoop(node)) return loopNode(tools, node);
    switch (node.type) {
      case "ExpressionStatement":
        // The rewritten expression may begin with a parenthesis, so separate it from the line before.
        return `;${splice(node)};`;
      case "IfStatement":
        return splice(
          node,
          new Map(
            [node.consequent, ...(node.alternate ? [node.alternate] : [])].map((each) => [each, spaced(body(each))]),
          ),
        );
      case "LabeledStatement":
        return splice(node, new Map([[node.body, isLabelled(node.body) ? render(node.body) : body(node.body)]]));
      case "SwitchStatement": {
        const open = node.cases.filter(({ test }) => test && !isConstant(test)).length;
        if (open === 0) return splice(node);
        return splice(node, new Map([[node.discriminant, `${g("chosen")}(${argument(node.discriminant)},${open})`]]));
      }
      case "CatchClause":
        return catchClause(tools, node);
      case "TryStatement":
        return node.finalizer
          ? splice(node, new Map([[node.finalizer, `{${g("lastly")}();${render(node.finalizer).slice(1)}`]]))
          : splice(node);
      case "VariableDeclarator":
        return node.init ? splice(node, takenApart(tools, node.id, node.init)) : splice(node);
      case "BinaryExpression":
        return binary(node);
      case "UnaryExpression":
        if (node.operator === "delete" && node.argument.type === "ChainExpression")
          return `(${gap(node.start, node.argument.start)}${chainNode(tools, node.argument.expression, "delete ")}??true)`;
        return /^[-+~]$/.test(node.operator)
          ? `${node.operator}${gap(node.start, node.argument.start)}${operand(node.argument)}${gap(node.argument.end, node.end)}`
          : splice(node);
      case "UpdateExpression":
        return update(node);
      case "AssignmentExpression":
        return assignment(node);
      case "MemberExpression":
        return member(node);
      case "ChainExpression":
        return chainNode(tools, node.expression);
      case "PropertyDefinition":
        return node.static ? named(node) : field(node);
      case "Property":
      case "MethodDefinition":
        return named(node);
      case "ArrayPattern":
      case "ObjectPattern":
        return patternNode(tools, node);
      case "ArrayExpression":
      case "CallExpression":
        return splice(node, spreads(node, "spread"));
      case "NewExpression":
        return splice(node, new Map([...spreads(node, "spread"), [node.callee, `(${render(node.callee)})`]]));
      case "ObjectExpression":
        return splice(node, spreads(node, "members"));
      case "TemplateLiteral":
        return template(node);
      case "TaggedTemplateExpression":
        return splice(node, new Map([[node.quasi, splice(node.quasi)]]));
      case "Literal":
        return literal(node);
      case "Identifier":
        if (node.name.startsWith("$g_")) throw new SyntaxError(`A name cannot begin with $g_: ${node.name}`);
        return source.slice(node.start, node.end);
      default:
        return splice(node);
    }
  }

  /**
   * Renders a member access. An access by position may read a character of a text, so the guard checks the object. The
   * text of a named object is kept, because the engine quotes it in messages.
   */
  function member(node: Of<"MemberExpression">): string {
    const { object, property } = node;
    if (readsPosition(node) && isNamed(object))
      return splice(node, new Map([[property, call("at", property, [render(object), property])]]));
    const replaced = new Map<AnyNode, string>();
    if (readsPosition(node)) replaced.set(object, call("read", object, [object]));
    if (node.computed && !isConstant(property)) replaced.set(property, call("key", property, [property]));
    return splice(node, replaced);
  }

  /** Renders a member of an object or a class with a guard around its computed name. */
  function named(
    node: Of<"Property" | "PropertyDefinition" | "MethodDefinition">,
    more?: ReadonlyMap<AnyNode, string>,
  ): string {
    const replaced = new Map(more);
    if (node.computed) replaced.set(node.key, taken.get(node.key) ?? call("literalKey", node.key, [node.key]));
    return splice(node, replaced);
  }

  /** Renders a class field. Each `new` evaluates it, so it pays for itself. */
  function field(node: Of<"PropertyDefinition">): string {
    const paid = pay(node);
    if (node.value) return named(node, new Map([[node.value, `(${paid},${argument(node.value)})`]]));
    return `${named(node).replace(/;\s*$/, "")}=(${paid},void 0);`;
  }

  function binary(node: Extract<AnyNode, { type: "BinaryExpression" }>): string {
    const { operator, left, right } = node;
    if (left.type === "PrivateIdentifier") return splice(node);
    const both = (name: keyof Guards): string => call(name, node, [left, right]);
    const grown = GROWING[operator];
    if (grown !== undefined)
      return (isCheap(left) && isCheap(right)) || bothCheapFor(operator, left, right) ? operands(node) : both(grown);
    switch (operator) {
      case "===":
      case "!==":
        if (isConstant(left) || isConstant(right)) return splice(node);
        return `${operator === "===" ? "" : "!"}${both("eq")}`;
      case "==":
      case "!=":
        return `${operator === "==" ? "" : "!"}${both("looseEq")}`;
      case "in":
        return `${call("key", left, [left])} in${gap(left.end, right.start)} (${render(right)})`;
      case "instanceof":
        return splice(node);
      default:
        return operands(node);
    }
  }

  /** Renders an operator between checked operands. */
  function operands(node: Extract<AnyNode, { type: "BinaryExpression" }>): string {
    const { left, right } = node;
    if (isOrdered(left, right)) return call("binary", node, [JSON.stringify(node.operator), left, right]);
    const text = `${operand(left)}${gap(left.end, right.start)}${node.operator}${operand(right)}`;
    return `(${gap(node.start, left.start)}${text}${gap(right.end, node.end)})`;
  }

  function update(node: Extract<AnyNode, { type: "UpdateExpression" }>): string {
    const { argument: target, operator, prefix } = node;
    if (target.type !== "MemberExpression" || target.property.type === "PrivateIdentifier") {
      const text = source.slice(target.start, target.end);
      return `(${g("operand")}(${text}), ${splice(node)})`;
    }
    return call("bump", node, [target.object, ...nameOf(target), operator === "++" ? "1" : "-1", String(prefix)]);
  }

  /** Returns the name of a member as an argument of a guard. */
  function nameOf(node: Extract<AnyNode, { type: "MemberExpression" }>): (AnyNode | string)[] {
    if (node.computed) return [node.property];
    return [JSON.stringify(node.property.type === "Identifier" ? node.property.name : "")];
  }

  function assignment(node: Extract<AnyNode, { type: "AssignmentExpression" }>): string {
    const { left, right, operator } = node;
    if (operator === "=" && (left.type === "ArrayPattern" || left.type === "ObjectPattern"))
      return splice(node, takenApart(tools, left, right));
    if (left.type !== "MemberExpression")
      return operator === "=" || isLogical(operator) ? splice(node) : compound(node, render(left));
    const isPlain = !left.computed && (left.property.type !== "Identifier" || left.property.name !== "length");
    if (operator === "=") return isPlain ? splice(node) : call("set", node, [left.object, ...nameOf(left), right]);
    if (isLogical(operator)) {
      if (isPlain) return splice(node);
      return call("alterIf", node, [JSON.stringify(operator), left.object, ...nameOf(left), `()=>(${render(right)})`]);
    }
    if (isPlain && isSimple(left.object)) return compound(node, render(left));
    const old = changed(operator.slice(0, -1), "$g_old", right);
    return call("alter", node, [left.object, ...nameOf(left), `($g_old)=>${old}`]);
  }

  /** Renders `x op= y` as `x = x op y`. */
  function compound(node: Extract<AnyNode, { type: "AssignmentExpression" }>, target: string): string {
    const { left, right, operator } = node;
    return `${target}${gap(left.end, right.start)}=${changed(operator.slice(0, -1), target, right)}`;
  }

  function changed(operator: string, old: string, right: AnyNode): string {
    const grown = GROWING[operator];
    if (grown !== undefined) return `${g(grown)}(${old},${argument(right)})`;
    if (!isSimple(right)) return `${g("binary")}(${JSON.stringify(operator)},${old},${argument(right)})`;
    return `${g("operand")}(${old})${operator}${operand(right)}`;
  }

  /** Renders the spread elements of a call, a list or an object. */
  function spreads(node: AnyNode, name: "spread" | "members"): ReadonlyMap<AnyNode, string> {
    return new Map(
      childrenOf(node)
        .filter((child) => child.type === "SpreadElement")
        .map((child) => [
          child,
          splice(child, new Map([[child.argument, call(name, child.argument, [child.argument])]])),
        ]),
    );
  }

  function template(node: Extract<AnyNode, { type: "TemplateLiteral" }>): string {
    if (node.expressions.length === 0) return source.slice(node.start, node.end);
    const parts = node.quasis.flatMap((quasi, at) => {
      const expression = node.expressions[at];
      const text = gap(quasi.start, quasi.end) + JSON.stringify(quasi.value.cooked ?? "");
      return expression === undefined ? [text] : [text, `${g("text")}(${argument(expression)})`];
    });
    return `${g("cat")}(${parts.join(",")})`;
  }

  function literal(node: Extract<AnyNode, { type: "Literal" }>): string {
    if (!node.regex) return source.slice(node.start, node.end);
    return `${g("pattern")}(${JSON.stringify(node.regex.pattern)},${JSON.stringify(node.regex.flags)})`;
  }

  const tools: Tools = { render, splice, call, body, pay, gap, argument, taken, seen: new Set() };
  return `${pay(program)};${render(program)}`;
}

/** Operators whose result may be larger than their operands, with their guards. */
const GROWING: Readonly<Record<string, keyof Guards>> = {
  "+": "add",
  "*": "mul",
  "**": "pow",
  "<<": "shl",
  ">>": "shr",
};

function isLogical(operator: string): boolean {
  return operator === "||=" || operator === "&&=" || operator === "??=";
}

/** True if a `continue` may refer to the label: no block may be inserted between label and loop. */
function isLabelled(node: AnyNode): boolean {
  return isLoop(node) || node.type === "LabeledStatement";
}

/** Separates the text from a preceding `else`. */
function spaced(text: string): string {
  return ` ${text}`;
}
