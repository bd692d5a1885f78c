// Colours of code: loaded with the first block that names its language.

import rehypeHighlight from "rehype-highlight";
import "./highlight.css";

const colour = rehypeHighlight();

/** A plugin for `rehype`; made once for all texts, as every making registers all languages anew. */
export const highlight = () => colour;
