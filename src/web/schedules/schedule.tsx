import { Panel } from "../ui/panel.tsx";

export function Schedule({ id: _ }: { readonly id: string }) {
  return <Panel title="Schedule">{null}</Panel>;
}
