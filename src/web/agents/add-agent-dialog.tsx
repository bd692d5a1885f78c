import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Agent } from "../../protocol/agents/agent.ts";
import { useWords } from "../language.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { showToast } from "../ui/toast.tsx";
import { AddAppForm } from "./add-app-form.tsx";
import { AddAgentByUrlForm } from "./add-agent-by-url-form.tsx";
import { buildAgentAddress } from "./agent-address.ts";
import { WORDS } from "./words.ts";

/** The dialog that registers an agent: by the URL of its card, or as a configured app. */
export function AddAgentDialog({ onClose }: { readonly onClose: () => void }) {
  const say = useWords(WORDS);
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [method, setMethod] = useState<"url" | "app">("url");
  const handleRegistered = (agent: Agent) => {
    void queries.invalidateQueries({ queryKey: ["agents"] });
    queries.setQueryData(["agent", agent.name], agent);
    showToast(say("registered", { name: agent.display_name ?? agent.name }));
    onClose();
    navigate(buildAgentAddress(agent.name));
  };
  const tabs = [
    { name: "url", label: say("byUrl") },
    { name: "app", label: say("asApp") },
  ] as const;
  return (
    <Dialog title={say("add")} onClose={onClose}>
      <Tabs label={say("ways")} tabs={tabs} chosen={method} onChoose={setMethod}>
        {/* Both stay mounted, so that their input survives a change of the tab. */}
        <div hidden={method !== "url"}>
          <AddAgentByUrlForm onDone={handleRegistered} />
        </div>
        <div hidden={method !== "app"}>
          <AddAppForm onDone={handleRegistered} />
        </div>
      </Tabs>
    </Dialog>
  );
}
