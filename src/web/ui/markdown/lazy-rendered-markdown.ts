import { createLazyComponent } from "../lazy-component.tsx";

/** The Markdown renderer, as a separate script. */
export const RenderedMarkdown = createLazyComponent(() =>
  import("./rendered-markdown.tsx").then((script) => script.RenderedMarkdown),
);
