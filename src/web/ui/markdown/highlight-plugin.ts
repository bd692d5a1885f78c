// The rehype plugin for syntax highlighting. A separate script, loaded with the first code block that names its
// language.

import rehypeHighlight from "rehype-highlight";
import "./highlight.css";

const transformer = rehypeHighlight();

/** The rehype plugin. Its transformer is shared by all texts, because every creation registers all grammars again. */
export const rehypeHighlightCode = () => transformer;
