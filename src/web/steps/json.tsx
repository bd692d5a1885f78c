import { visibleJson } from "../../protocol/visible.ts";

/** A JSON value to read, to fold and to copy. */
export function Json({ value }: { readonly value: unknown }) {
  return <pre>{visibleJson(value)}</pre>;
}
