import { Panel } from "../ui/panel.tsx";

export function Tool({ name: _ }: { readonly name: string }) {
  return <Panel title="Tool">{null}</Panel>;
}
