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
import { instrumentCatch, instrumentFunction, instrumentLoop } from "./instrument-blocks.ts";
import { getGuardName, type InstrumentTools } from "./guards.ts";
import { instrumentChain } from "./instrument-chains.ts";
import { instrumentPattern, instrumentPatternValue } from "./instrument-patterns.ts";
import {
  cannotGrow,
  isNumberOrBoolean,
  isConstant,
  isNamePath,
  needsOrderedOperands,
  isRepeatable,
  readsPosition,
} from "./node-predicates.ts";
import { listChildren, isFunction, isLoop, type AnyNode } from "./syntax-tree.ts";
import { createPaymentRenderer } from "./step-cost.ts";

/** A node of one syntax type. */
type SyntaxOfType<T extends AnyNode["type"]> = Extract<AnyNode, { type: T }>;

/**
 * Returns the instrumented text of a program. The tree must be that of the source. Throws a `SyntaxError` for a few
 * forms that the policy refuses.
 */
export function instrument(source: string, program: AnyNode): string {
  const replacements = new Map<AnyNode, string>();
  const pay = createPaymentRenderer(program);

  /** Returns the line breaks between two offsets. */
  const keepLines = (from: number, to: number): string => "\n".repeat(source.slice(from, to).split("\n").length - 1);

  /** Returns the text of a node with the given replacements; other children are instrumented. */
  function splice(node: AnyNode, replaced?: ReadonlyMap<AnyNode, string>): string {
    let text = "";
    let at = node.start;
    for (const child of listChildren(node)) {
      text += source.slice(at, child.start) + (replaced?.get(child) ?? render(child));
      at = child.end;
    }
    return text + source.slice(at, node.end);
  }

  /** Returns a call of a guard. Node arguments keep their distance in lines. */
  function call(name: keyof Guards, node: AnyNode, parts: readonly (AnyNode | string)[]): string {
    let at = node.start;
    const args = parts.map((part) => {
      if (typeof part === "string") return part;
      const text = keepLines(at, part.start) + argument(part);
      at = part.end;
      return text;
    });
    return `${getGuardName(name)}(${args.join(",")}${keepLines(at, node.end)})`;
  }

  function argument(node: AnyNode): string {
    // Next to other arguments, the engine rejects an assignment to a pattern without parentheses.
    return /^(?:Sequence|Assignment)Expression$/.test(node.type) ? `(${render(node)})` : render(node);
  }

  /** Returns an operand of an operator whose result cannot grow. The guard pays for reading it. */
  function renderOperand(node: AnyNode): string {
    return isNumberOrBoolean(node) ? `(${render(node)})` : `${getGuardName("operand")}(${argument(node)})`;
  }

  function body(node: AnyNode): string {
    return node.type === "BlockStatement" ? render(node) : `{${render(node)}}`;
  }

  /** Returns the instrumented text of a node. */
  function render(node: AnyNode): string {
    const known = replacements.get(node);
    if (known !== undefined) return known;
    if (isFunction(node)) return instrumentFunction(tools, node);
    if (isLoop(node)) return instrumentLoop(tools, node);
    switch (node.type) {
      case "ExpressionStatement":
        // The rewritten expression may begin with a parenthesis, so separate it from the line before.
        return `;${splice(node)};`;
      case "IfStatement":
        return splice(
          node,
          new Map(
            [node.consequent, ...(node.alternate ? [node.alternate] : [])].map((each) => [
              each,
              prependSpace(body(each)),
            ]),
          ),
        );
      case "LabeledStatement":
        return splice(node, new Map([[node.body, isLoopOrLabel(node.body) ? render(node.body) : body(node.body)]]));
      case "SwitchStatement": {
        const open = node.cases.filter(({ test }) => test && !isConstant(test)).length;
        if (open === 0) return splice(node);
        return splice(
          node,
          new Map([[node.discriminant, `${getGuardName("chosen")}(${argument(node.discriminant)},${open})`]]),
        );
      }
      case "CatchClause":
        return instrumentCatch(tools, node);
      case "TryStatement":
        return node.finalizer
          ? splice(node, new Map([[node.finalizer, `{${getGuardName("lastly")}();${render(node.finalizer).slice(1)}`]]))
          : splice(node);
      case "VariableDeclarator":
        return node.init ? splice(node, instrumentPatternValue(tools, node.id, node.init)) : splice(node);
      case "BinaryExpression":
        return renderBinary(node);
      case "UnaryExpression":
        if (node.operator === "delete" && node.argument.type === "ChainExpression")
          return `(${keepLines(node.start, node.argument.start)}${instrumentChain(tools, node.argument.expression, "delete ")}??true)`;
        return /^[-+~]$/.test(node.operator)
          ? `${node.operator}${keepLines(node.start, node.argument.start)}${renderOperand(node.argument)}${keepLines(node.argument.end, node.end)}`
          : splice(node);
      case "UpdateExpression":
        return renderUpdate(node);
      case "AssignmentExpression":
        return renderAssignment(node);
      case "MemberExpression":
        return renderMember(node);
      case "ChainExpression":
        return instrumentChain(tools, node.expression);
      case "PropertyDefinition":
        return node.static ? renderNamed(node) : renderField(node);
      case "Property":
      case "MethodDefinition":
        return renderNamed(node);
      case "ArrayPattern":
      case "ObjectPattern":
        return instrumentPattern(tools, node);
      case "ArrayExpression":
      case "CallExpression":
        return splice(node, renderSpreads(node, "spread"));
      case "NewExpression":
        return splice(node, new Map([...renderSpreads(node, "spread"), [node.callee, `(${render(node.callee)})`]]));
      case "ObjectExpression":
        return splice(node, renderSpreads(node, "members"));
      case "TemplateLiteral":
        return renderTemplate(node);
      case "TaggedTemplateExpression":
        return splice(node, new Map([[node.quasi, splice(node.quasi)]]));
      case "Literal":
        return renderLiteral(node);
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
  function renderMember(node: SyntaxOfType<"MemberExpression">): string {
    const { object, property } = node;
    if (readsPosition(node) && isNamePath(object))
      return splice(node, new Map([[property, call("at", property, [render(object), property])]]));
    const replaced = new Map<AnyNode, string>();
    if (readsPosition(node)) replaced.set(object, call("read", object, [object]));
    if (node.computed && !isConstant(property)) replaced.set(property, call("key", property, [property]));
    return splice(node, replaced);
  }

  /** Renders a member of an object or a class with a guard around its computed name. */
  function renderNamed(
    node: SyntaxOfType<"Property" | "PropertyDefinition" | "MethodDefinition">,
    more?: ReadonlyMap<AnyNode, string>,
  ): string {
    const replaced = new Map(more);
    if (node.computed) replaced.set(node.key, replacements.get(node.key) ?? call("literalKey", node.key, [node.key]));
    return splice(node, replaced);
  }

  /** Renders a class field. Each `new` evaluates it, so it pays for itself. */
  function renderField(node: SyntaxOfType<"PropertyDefinition">): string {
    const paid = pay(node);
    if (node.value) return renderNamed(node, new Map([[node.value, `(${paid},${argument(node.value)})`]]));
    return `${renderNamed(node).replace(/;\s*$/, "")}=(${paid},void 0);`;
  }

  function renderBinary(node: Extract<AnyNode, { type: "BinaryExpression" }>): string {
    const { operator, left, right } = node;
    if (left.type === "PrivateIdentifier") return splice(node);
    const both = (name: keyof Guards): string => call(name, node, [left, right]);
    const guardName = GROWING_OPERATORS[operator];
    if (guardName !== undefined)
      return (isNumberOrBoolean(left) && isNumberOrBoolean(right)) || cannotGrow(operator, left, right)
        ? renderOperands(node)
        : both(guardName);
    switch (operator) {
      case "===":
      case "!==":
        if (isConstant(left) || isConstant(right)) return splice(node);
        return `${operator === "===" ? "" : "!"}${both("eq")}`;
      case "==":
      case "!=":
        return `${operator === "==" ? "" : "!"}${both("looseEq")}`;
      case "in":
        return `${call("key", left, [left])} in${keepLines(left.end, right.start)} (${render(right)})`;
      case "instanceof":
        return splice(node);
      default:
        return renderOperands(node);
    }
  }

  /** Renders an operator between checked operands. */
  function renderOperands(node: Extract<AnyNode, { type: "BinaryExpression" }>): string {
    const { left, right } = node;
    if (needsOrderedOperands(left, right)) return call("binary", node, [JSON.stringify(node.operator), left, right]);
    const text = `${renderOperand(left)}${keepLines(left.end, right.start)}${node.operator}${renderOperand(right)}`;
    return `(${keepLines(node.start, left.start)}${text}${keepLines(right.end, node.end)})`;
  }

  function renderUpdate(node: Extract<AnyNode, { type: "UpdateExpression" }>): string {
    const { argument: target, operator, prefix } = node;
    if (target.type !== "MemberExpression" || target.property.type === "PrivateIdentifier") {
      const text = source.slice(target.start, target.end);
      return `(${getGuardName("operand")}(${text}), ${splice(node)})`;
    }
    return call("bump", node, [
      target.object,
      ...getNameArguments(target),
      operator === "++" ? "1" : "-1",
      String(prefix),
    ]);
  }

  /** Returns the name of a member as an argument of a guard. */
  function getNameArguments(node: Extract<AnyNode, { type: "MemberExpression" }>): (AnyNode | string)[] {
    if (node.computed) return [node.property];
    return [JSON.stringify(node.property.type === "Identifier" ? node.property.name : "")];
  }

  function renderAssignment(node: Extract<AnyNode, { type: "AssignmentExpression" }>): string {
    const { left, right, operator } = node;
    if (operator === "=" && (left.type === "ArrayPattern" || left.type === "ObjectPattern"))
      return splice(node, instrumentPatternValue(tools, left, right));
    if (left.type !== "MemberExpression")
      return operator === "=" || isLogicalAssignment(operator) ? splice(node) : renderCompound(node, render(left));
    const isPlain = !left.computed && (left.property.type !== "Identifier" || left.property.name !== "length");
    if (operator === "=")
      return isPlain ? splice(node) : call("set", node, [left.object, ...getNameArguments(left), right]);
    if (isLogicalAssignment(operator)) {
      if (isPlain) return splice(node);
      return call("alterIf", node, [
        JSON.stringify(operator),
        left.object,
        ...getNameArguments(left),
        `()=>(${render(right)})`,
      ]);
    }
    if (isPlain && isRepeatable(left.object)) return renderCompound(node, render(left));
    const old = renderOperation(operator.slice(0, -1), "$g_old", right);
    return call("alter", node, [left.object, ...getNameArguments(left), `($g_old)=>${old}`]);
  }

  /** Renders `x op= y` as `x = x op y`. */
  function renderCompound(node: Extract<AnyNode, { type: "AssignmentExpression" }>, target: string): string {
    const { left, right, operator } = node;
    return `${target}${keepLines(left.end, right.start)}=${renderOperation(operator.slice(0, -1), target, right)}`;
  }

  function renderOperation(operator: string, old: string, right: AnyNode): string {
    const guardName = GROWING_OPERATORS[operator];
    if (guardName !== undefined) return `${getGuardName(guardName)}(${old},${argument(right)})`;
    if (!isRepeatable(right)) return `${getGuardName("binary")}(${JSON.stringify(operator)},${old},${argument(right)})`;
    return `${getGuardName("operand")}(${old})${operator}${renderOperand(right)}`;
  }

  /** Renders the spread elements of a call, a list or an object. */
  function renderSpreads(node: AnyNode, name: "spread" | "members"): ReadonlyMap<AnyNode, string> {
    return new Map(
      listChildren(node)
        .filter((child) => child.type === "SpreadElement")
        .map((child) => [
          child,
          splice(child, new Map([[child.argument, call(name, child.argument, [child.argument])]])),
        ]),
    );
  }

  function renderTemplate(node: Extract<AnyNode, { type: "TemplateLiteral" }>): string {
    if (node.expressions.length === 0) return source.slice(node.start, node.end);
    const parts = node.quasis.flatMap((quasi, at) => {
      const expression = node.expressions[at];
      const text = keepLines(quasi.start, quasi.end) + JSON.stringify(quasi.value.cooked ?? "");
      return expression === undefined ? [text] : [text, `${getGuardName("text")}(${argument(expression)})`];
    });
    return `${getGuardName("cat")}(${parts.join(",")})`;
  }

  function renderLiteral(node: Extract<AnyNode, { type: "Literal" }>): string {
    if (!node.regex) return source.slice(node.start, node.end);
    return `${getGuardName("pattern")}(${JSON.stringify(node.regex.pattern)},${JSON.stringify(node.regex.flags)})`;
  }

  const tools: InstrumentTools = {
    render,
    splice,
    call,
    body,
    pay,
    keepLines,
    argument,
    replacements,
    checkedPatterns: new Set(),
  };
  return `${pay(program)};${render(program)}`;
}

/** Operators whose result may be larger than their operands, with their guards. */
const GROWING_OPERATORS: Readonly<Record<string, keyof Guards>> = {
  "+": "add",
  "*": "mul",
  "**": "pow",
  "<<": "shl",
  ">>": "shr",
};

function isLogicalAssignment(operator: string): boolean {
  return operator === "||=" || operator === "&&=" || operator === "??=";
}

/** True if a `continue` may refer to the label: no block may be inserted between label and loop. */
function isLoopOrLabel(node: AnyNode): boolean {
  return isLoop(node) || node.type === "LabeledStatement";
}

/** Separates the text from a preceding `else`. */
function prependSpace(text: string): string {
  return ` ${text}`;
}
