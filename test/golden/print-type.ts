// Prints a type by its structure, down to types of the language or the platform. No alias names are printed.

import {
  ElementFlags,
  SignatureKind,
  SymbolFlags,
  type Checker,
  type Symbol,
  type Type,
} from "typescript/unstable/sync";

/** Prints a method as `(first type, second type) => type`, without parameter names. */
export function printMethod(checker: Checker, method: Type): string {
  const [signature] = checker.getSignaturesOfType(method, SignatureKind.Call);
  if (signature === undefined) throw new Error("It is no method.");
  const parameters = signature.getParameters().flatMap((parameter) => {
    const type = readType(checker, parameter);
    return listArguments(checker, type).map((printed) => `  ${printed}`);
  });
  const answer = checker.getReturnTypeOfSignature(signature);
  if (answer === undefined) throw new Error("It answers nothing.");
  return `(\n${parameters.join(",\n")}\n) => ${printType(checker, answer)}`;
}

/** Prints the type of a parameter. The elements of a tuple, which is the type of a rest parameter, are parameters. */
function listArguments(checker: Checker, type: Type): string[] {
  if (!type.isTypeReference() || !checker.isTupleType(type)) return [printType(checker, type, "  ")];
  const target = type.getTarget();
  const { elementFlags } = target.isTupleType() ? target : { elementFlags: [] };
  return checker.getTypeArguments(type).map((element, i) => {
    const parts = element.isUnionType() ? element.getTypes() : [element];
    const printed = parts.map((part) => printType(checker, part, "  "));
    if (elementFlags[i] === ElementFlags.Optional) printed.push("undefined");
    return [...new Set(printed)].toSorted().join(" | ");
  });
}

/** `above` are the enclosing types: a recursive type ends in a mark. */
function printType(checker: Checker, type: Type, indent = "", above: readonly Type[] = []): string {
  const depth = above.findIndex(({ id }) => id === type.id);
  if (depth >= 0) return `↑${above.length - depth}`;
  const print = (inner: Type, at = indent) => printType(checker, inner, at, [...above, type]);
  if (type.isUnionType()) return [...new Set(type.getTypes().map((part) => print(part)))].toSorted().join(" | ");
  const name = type.getSymbol()?.name ?? "";
  if (type.isTypeReference() && (checker.isArrayType(type) || checker.isTupleType(type) || isForeign(type))) {
    const within = checker.getTypeArguments(type).map((part) => print(part));
    if (checker.isTupleType(type)) return `[${within.join(", ")}]`;
    return within.length === 0 ? name : `${name.replace("ReadonlyArray", "Array")}<${within.join(", ")}>`;
  }
  if (!(type.isObjectType() || type.isIntersectionType()) || isForeign(type)) return checker.typeToString(type);
  const inside = `${indent}  `;
  const indexes = checker.getIndexInfosOfType(type).map(({ keyType, valueType }) => {
    return `[${checker.typeToString(keyType)}]: ${print(valueType, inside)}`;
  });
  const members = checker.getPropertiesOfType(type).map((member) => {
    return `${member.name}${isOptional(member) ? "?" : ""}: ${print(readType(checker, member), inside)}`;
  });
  const lines = [...indexes, ...members.toSorted()];
  return lines.length === 0 ? "{}" : `{\n${lines.map((line) => inside + line).join("\n")}\n${indent}}`;
}

function readType(checker: Checker, symbol: Symbol): Type {
  const type = checker.getTypeOfSymbol(symbol);
  if (type === undefined) throw new Error(`${symbol.name} has no type.`);
  return type;
}

function isOptional({ flags }: Symbol): boolean {
  return (flags & SymbolFlags.Optional) !== 0;
}

/**
 * Returns true for named types of the language or the platform, such as `Promise`. Types without a name are expanded.
 */
function isForeign(type: Type): boolean {
  const { name = "__", declarations = [] } = type.getSymbol() ?? {};
  if (name.startsWith("__")) return false;
  return declarations.every(({ path }) => path.includes("node_modules") || !/\/(src|test)\//.test(path));
}
