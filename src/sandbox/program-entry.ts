// Finds the entry of a program: the function to call, or the value to return. Models write it in many forms, so all
// usual forms of exports and arguments are accepted. Edits keep every line at its number.

import {
  listChildren,
  collectIdentifiers,
  isFunction,
  listBoundNames,
  parseSource,
  type AnyNode,
} from "./syntax-tree.ts";

/** The source to run and the expression that yields the result, or a message for the author. */
export type ProgramEntry =
  // In `source`, exports are replaced by declarations. `call` is "undefined" if the program returns at its top level.
  | { readonly ok: true; readonly source: string; readonly tree: AnyNode; readonly call: string }
  | { readonly ok: false; readonly message: string; readonly line: number };

/** Replaces the text between two offsets. */
type SourceEdit = { readonly from: number; readonly to: number; readonly text: string };
type ProgramNode = Extract<AnyNode, { type: "Program" }>;

/** The name of the argument object in the module. */
export const ARGUMENTS_NAME = "$g_args";
// Names of entry functions, regardless of the tool's name.
const USUAL_ENTRY_NAMES = ["run", "main", "execute"];

/**
 * Finds the entry of a program. `toolName` helps to choose among several functions; "" if unknown. The returned source
 * differs from `written` in exports and fences. Never throws for invalid code, but for deeply nested code a
 * `RangeError`.
 */
export function findEntry(written: string, parameters: readonly string[], toolName: string): ProgramEntry {
  const exported = createUnusedName(written);
  const source = removeCodeFence(written);
  const parsed = parseSource(source);
  if (!parsed.ok) {
    // A function without a name is not a statement, but it may be an expression.
    const alone = `const ${exported} = (${source.trimEnd().replace(/;$/, "")}\n)`;
    const again = parseSource(alone);
    return again.ok && again.tree.body.flatMap(listCandidates).some(({ value }) => isFunction(value))
      ? addEntryCall(alone, again.tree, parameters, toolName, exported)
      : parsed;
  }
  const edits = listExportEdits(source, parsed.tree, exported);
  if (edits.length === 0) return addEntryCall(source, parsed.tree, parameters, toolName, exported);
  const edited = applyEdits(source, edits);
  const again = parseSource(edited);
  return again.ok ? addEntryCall(edited, again.tree, parameters, toolName, exported) : again;
}

/** Normalizes line endings and blanks the lines of a surrounding Markdown fence. */
function removeCodeFence(source: string): string {
  const lines = source
    .replaceAll("\r\n", "\n")
    .replace(/^\uFEFF/, "")
    .split("\n");
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  if (first < 0 || last <= first) return lines.join("\n");
  if (!/^\s*```/.test(lines[first] ?? "") || !/^\s*```\s*$/.test(lines[last] ?? "")) return lines.join("\n");
  return lines.map((line, at) => (at === first || at === last ? "" : line)).join("\n");
}

/** Returns a name that does not occur in the source. */
function createUnusedName(source: string): string {
  let name = "exported";
  while (source.includes(name)) name += "_";
  return name;
}

/** Applies edits, which must be in order and must not overlap. */
function applyEdits(source: string, edits: readonly SourceEdit[]): string {
  let text = "";
  let at = 0;
  for (const { from, to, text: insertion } of edits) {
    text += source.slice(at, from) + insertion;
    at = to;
  }
  return text + source.slice(at);
}

/**
 * Returns the edits that turn exports into declarations. A program that is a single expression becomes a declaration as
 * well.
 */
function listExportEdits(source: string, { body }: ProgramNode, exported: string): SourceEdit[] {
  const edits = body.flatMap((statement): SourceEdit[] => {
    switch (statement.type) {
      case "ExportNamedDeclaration":
        return statement.declaration
          ? [{ from: statement.start, to: statement.declaration.start, text: "" }]
          : [{ from: statement.start, to: statement.end, text: ";" }];
      case "ExportDefaultDeclaration": {
        const { declaration, start, end } = statement;
        if (declaration.type === "FunctionDeclaration" && declaration.id)
          return [{ from: start, to: declaration.start, text: "" }];
        return [
          {
            from: start,
            to: start + (/^export\s+default/.exec(source.slice(start)) ?? [""])[0].length,
            text: `const ${exported} =`,
          },
          { from: end, to: end, text: ";" },
        ];
      }
      case "ExpressionStatement":
        return getCommonJsEdits(statement.expression, exported);
      default:
        return [];
    }
  });
  const [only] = body;
  if (body.length !== 1 || edits.length > 0 || only?.type !== "ExpressionStatement") return edits;
  return [{ from: only.start, to: only.start, text: `const ${exported} = ` }];
}

/** Returns the edit for `module.exports = …` and `exports.name = …`. */
function getCommonJsEdits(expression: AnyNode, exported: string): SourceEdit[] {
  if (expression.type !== "AssignmentExpression" || expression.operator !== "=") return [];
  const { left } = expression;
  if (left.type !== "MemberExpression" || left.object.type !== "Identifier" || left.property.type !== "Identifier")
    return [];
  const isExport =
    left.object.name === "exports" || (left.object.name === "module" && left.property.name === "exports");
  return isExport ? [{ from: left.start, to: left.end, text: `const ${exported}` }] : [];
}

/** A top-level declaration that may be the entry. */
type EntryCandidate = { readonly name: string; readonly value: AnyNode };

/** Picks the entry and builds the expression that calls it. */
function addEntryCall(
  source: string,
  tree: ProgramNode,
  parameters: readonly string[],
  toolName: string,
  exported: string,
): ProgramEntry {
  const found: ProgramEntry = { ok: true, source, tree, call: "undefined" };
  if (hasTopLevelReturn(tree)) return found;
  const candidates = tree.body.flatMap(listCandidates);
  const chosen = pickCandidate(candidates, toolName, exported);
  if (chosen === undefined)
    return {
      ok: false,
      message: "There is no function and no return: write function run({ … }) { … return …; }",
      line: 1,
    };
  if (isFunction(chosen.value)) {
    const args = buildArguments(chosen.value, parameters);
    return args === null
      ? { ok: false, message: formatMismatch(chosen, parameters), line: 1 }
      : { ...found, call: `${chosen.name}(${args})` };
  }
  if (chosen.value.type === "ObjectExpression") return { ...found, call: buildMemberCall(chosen) };
  return { ...found, call: chosen.name };
}

/** Returns the declarations of a statement that have a value. */
function listCandidates(statement: AnyNode): EntryCandidate[] {
  if (statement.type === "FunctionDeclaration") return [{ name: statement.id?.name ?? "", value: statement }];
  if (statement.type !== "VariableDeclaration") return [];
  return statement.declarations.flatMap(({ id, init }) =>
    id.type === "Identifier" && init ? [{ name: id.name, value: init }] : [],
  );
}

/** Picks the entry: the export, a usual name, the tool's name, or the last function that no other function uses. */
function pickCandidate(
  candidates: readonly EntryCandidate[],
  toolName: string,
  exported: string,
): EntryCandidate | undefined {
  const out = candidates.find(({ name }) => name === exported);
  if (out !== undefined) {
    const named = out.value.type === "Identifier" ? out.value.name : null;
    return candidates.find(({ name }) => name === named) ?? out;
  }
  const functions = candidates.filter(({ value }) => isFunction(value));
  const plain = (name: string): string => name.toLowerCase().replaceAll("_", "");
  return (
    functions.find(({ name }) => USUAL_ENTRY_NAMES.includes(name)) ??
    functions.find(({ name }) => toolName !== "" && plain(name) === plain(toolName)) ??
    functions.findLast(
      ({ name }) => !functions.some((other) => other.name !== name && collectIdentifiers(other.value).has(name)),
    ) ??
    functions.at(-1)
  );
}

/** Builds the call of a method of an exported object, as in `export default { run(args) { … } }`. */
function buildMemberCall({ name, value }: EntryCandidate): string {
  const members = value.type === "ObjectExpression" ? value.properties : [];
  const names = members.flatMap((member) =>
    member.type === "Property" && !member.computed && member.key.type === "Identifier" ? [member.key.name] : [],
  );
  const member = names.find((each) => USUAL_ENTRY_NAMES.includes(each)) ?? (names.length === 1 ? names[0] : undefined);
  return member === undefined ? name : `${name}.${member}(${ARGUMENTS_NAME})`;
}

/**
 * Returns the arguments of the call: the values by parameter name, a single value, or the argument object. Null if the
 * function requires parameters that the tool does not have.
 */
function buildArguments(
  node: Extract<AnyNode, { type: "FunctionDeclaration" | "FunctionExpression" | "ArrowFunctionExpression" }>,
  parameters: readonly string[],
): string | null {
  const params = dropUnknownDefaults(node.params, parameters);
  const names = params.map((param) => getParameterName(param));
  const member = (name: string): string => `${ARGUMENTS_NAME}[${JSON.stringify(name)}]`;
  if (names.length > 0 && names.every((name) => name !== null && parameters.includes(name)))
    return names.map((name) => member(name ?? "")).join(", ");
  if (names.length <= 1) {
    const [name] = names;
    const [parameter] = parameters;
    const isValue =
      typeof name === "string" &&
      parameters.length === 1 &&
      parameter !== undefined &&
      !isUsedAsArguments(node, name, parameters);
    return isValue ? member(parameter) : ARGUMENTS_NAME;
  }
  return params.slice(1).every(({ type }) => type === "AssignmentPattern") ? ARGUMENTS_NAME : null;
}

/** Drops trailing parameters that have a default and are not parameters of the tool. */
function dropUnknownDefaults(params: readonly AnyNode[], parameters: readonly string[]): readonly AnyNode[] {
  const last = params.findLastIndex(
    (param) => param.type !== "AssignmentPattern" || parameters.includes(getParameterName(param) ?? ""),
  );
  return params.slice(0, last + 1);
}

/** Returns the name of a parameter; null for patterns. */
function getParameterName(param: AnyNode): string | null {
  const inner = param.type === "AssignmentPattern" ? param.left : param;
  return inner.type === "Identifier" ? inner.name : null;
}

/** True if the function uses the parameter as an object of all arguments. */
function isUsedAsArguments(node: AnyNode, name: string, parameters: readonly string[]): boolean {
  if (["args", "input", "params", "options", "arguments_", "props"].includes(name)) return true;
  if (node.type === "MemberExpression" && node.object.type === "Identifier" && node.object.name === name) {
    const key = node.property;
    const member = key.type === "Identifier" && !node.computed ? key.name : key.type === "Literal" ? key.value : null;
    if (parameters.includes(String(member))) return true;
  }
  if (node.type === "VariableDeclarator" && node.init?.type === "Identifier" && node.init.name === name)
    return node.id.type === "ObjectPattern" && listBoundNames(node.id).length > 0;
  return listChildren(node).some((child) => isUsedAsArguments(child, name, parameters));
}

/** Returns the message for an entry with other parameters than the tool. */
function formatMismatch({ name, value }: EntryCandidate, parameters: readonly string[]): string {
  const own = isFunction(value) ? value.params.flatMap((param) => listBoundNames(param)) : [];
  return `${name}(${own.join(", ")}) does not fit the parameters ${parameters.join(", ")}: take one object, function run({ ${parameters.join(", ")} })`;
}

/** True if the program has a `return` outside all functions. */
function hasTopLevelReturn(node: AnyNode): boolean {
  if (node.type === "ReturnStatement") return true;
  if (isFunction(node) || node.type === "ClassDeclaration" || node.type === "ClassExpression") return false;
  return listChildren(node).some((child) => hasTopLevelReturn(child));
}
