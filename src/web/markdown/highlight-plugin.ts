// The rehype plugin for syntax highlighting. A separate script, loaded with the first code block that names its
// language.

import rehypeHighlight from "rehype-highlight";
import "./highlight.css";

const transformer = rehypeHighlight();

/** Created once for all texts: every creation registers all grammars again. */
export const rehypeHighlightCode = () => transformer;
