import { Panel } from "../ui/panel.tsx";

export function Agent({ name: _ }: { readonly name: string }) {
  return <Panel title="Agent">{null}</Panel>;
}
