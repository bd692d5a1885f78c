// Highlighted code. A separate script, since the grammars are larger than the rest of the view.

import { useMemo, type ReactNode } from "react";
import { highlight } from "../markdown/highlight.ts";

type Tree = Parameters<ReturnType<typeof highlight>>[0];
type Part = Tree["children"][number];

export function Highlighted({ code }: { readonly code: string }) {
  return useMemo(() => coloured(code), [code]);
}

function coloured(code: string): ReactNode {
  const text = { type: "text", value: code } as const;
  const block = { type: "element", tagName: "code", properties: { className: ["language-js"] }, children: [text] };
  const pre = { type: "element", tagName: "pre", properties: {}, children: [block] };
  const tree = { type: "root", children: [pre] } as Tree;
  // The plugin uses the file only to report unknown languages.
  highlight()(tree, undefined as never);
  const [outer] = tree.children;
  const inner = outer?.type === "element" ? outer.children[0] : undefined;
  return inner?.type === "element" ? inner.children.map(nodeOf) : code;
}

/** Converts to React elements: no HTML is inserted into the page. */
function nodeOf(part: Part, index: number): ReactNode {
  if (part.type === "text") return part.value;
  if (part.type !== "element") return null;
  const { className } = part.properties;
  return (
    <span key={index} className={Array.isArray(className) ? className.join(" ") : ""}>
      {part.children.map(nodeOf)}
    </span>
  );
}
