// Formulas: loaded with the first text that has one. MathML is the browser's own, and needs no fonts and no styles.

import rehypeKatex from "rehype-katex";

const typeset = rehypeKatex({ output: "mathml", maxSize: 20, maxExpand: 200, strict: "ignore", trust: false });

/** A plugin for `rehype`; made once for all texts. */
export const math = () => typeset;
