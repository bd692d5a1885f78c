import { Panel } from "../ui/panel.tsx";

export function Instance({ id: _ }: { readonly id: string }) {
  return <Panel title="Instance">{null}</Panel>;
}
