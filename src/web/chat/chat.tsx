import { Panel } from "../ui/panel.tsx";

export function Chat({ id: _ }: { readonly id?: string }) {
  return <Panel title="Chat">{null}</Panel>;
}
