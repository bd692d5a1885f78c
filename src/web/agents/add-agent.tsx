import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Agent } from "../../protocol/agent.ts";
import { useWords } from "../language.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { toast } from "../ui/toast.tsx";
import { AddApp } from "./add-app.tsx";
import { AddByUrl } from "./add-by-url.tsx";
import { agentAt } from "./address.ts";
import { WORDS } from "./words.ts";

/** The dialog that registers an agent: by the URL of its card, or as a configured app. */
export function AddAgent({ onClose }: { readonly onClose: () => void }) {
  const say = useWords(WORDS);
  const queries = useQueryClient();
  const [, go] = useLocation();
  const [way, setWay] = useState<"url" | "app">("url");
  const done = (agent: Agent) => {
    void queries.invalidateQueries({ queryKey: ["agents"] });
    queries.setQueryData(["agent", agent.name], agent);
    toast(say("registered", { name: agent.display_name ?? agent.name }));
    onClose();
    go(agentAt(agent.name));
  };
  const tabs = [
    { name: "url", label: say("byUrl") },
    { name: "app", label: say("asApp") },
  ] as const;
  return (
    <Dialog title={say("add")} onClose={onClose}>
      <Tabs label={say("ways")} tabs={tabs} chosen={way} onChoose={setWay}>
        {/* Both stay mounted, so that their input survives a change of the tab. */}
        <div hidden={way !== "url"}>
          <AddByUrl onDone={done} />
        </div>
        <div hidden={way !== "app"}>
          <AddApp onDone={done} />
        </div>
      </Tabs>
    </Dialog>
  );
}
