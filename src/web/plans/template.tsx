import { Panel } from "../ui/panel.tsx";

export function Template({ id: _ }: { readonly id: string }) {
  return <Panel title="Template">{null}</Panel>;
}
