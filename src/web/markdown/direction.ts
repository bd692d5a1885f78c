// Which way a text runs. The application runs from left to right; a block whose first letter does not, runs as that does.

import type { ExtraProps } from "react-markdown";

type Element = NonNullable<ExtraProps["node"]>;
type Node = Element["children"][number];
type Direction = "ltr" | "rtl";

const FROM_THE_RIGHT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const LETTER = /\p{L}/u;
/** Not items of lists: their marks stand where the list has room for them. */
const BLOCKS: ReadonlySet<string> = new Set("p h1 h2 h3 h4 h5 h6 ul ol blockquote table th td".split(" "));
/** Code runs from left to right in any language. */
const CODE: ReadonlySet<string> = new Set(["pre", "code"]);

/** Where there is none of it, nothing needs to be looked at. */
export function mayRunFromTheRight(text: string): boolean {
  return FROM_THE_RIGHT.test(text);
}

/** A plugin for `rehype`. Only what runs another way than what is around it says so. */
export function direct() {
  return (tree: { children: unknown[] }) => turn(tree.children as Node[], "ltr");
}

function turn(nodes: readonly Node[], around: Direction): void {
  for (const node of nodes) {
    if (node.type !== "element") continue;
    const own = directionOf(node) ?? around;
    if (own !== around) node.properties["dir"] = own;
    turn(node.children, own);
  }
}

function directionOf(node: Element): Direction | null {
  if (CODE.has(node.tagName)) return "ltr";
  const letter = BLOCKS.has(node.tagName) ? firstLetterIn(node.children) : null;
  if (letter === null) return null;
  return FROM_THE_RIGHT.test(letter) ? "rtl" : "ltr";
}

function firstLetterIn(nodes: readonly Node[]): string | null {
  for (const node of nodes) {
    if (node.type === "element" && CODE.has(node.tagName)) continue;
    const found =
      node.type === "text" ? LETTER.exec(node.value)?.[0] : node.type === "element" && firstLetterIn(node.children);
    if (typeof found === "string") return found;
  }
  return null;
}
