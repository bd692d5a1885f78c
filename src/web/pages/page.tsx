import { Panel } from "../ui/panel.tsx";

export function Page({ id: _ }: { readonly id: string }) {
  return <Panel title="Page">{null}</Panel>;
}
