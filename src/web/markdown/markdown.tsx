// Text that an agent or a person wrote in Markdown.

/** `isStreaming`: more of the text is still to come. */
export function Markdown({ text }: { readonly text: string; readonly isStreaming?: boolean }) {
  return <p>{text}</p>;
}
