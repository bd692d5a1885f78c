import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Agent } from "../../../../protocol/agents/agent.ts";
import { useMessages } from "../../../session/language.ts";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { AddAppForm } from "./add-app-form.tsx";
import { AddAgentByUrlForm } from "./add-agent-by-url-form.tsx";
import { buildAgentAddress } from "../agent-address.ts";

/**
 * The dialog that registers an agent: by the URL of its card, or as a configured app. Afterwards it updates the caches,
 * shows a toast, closes, and opens the page of the agent.
 */
export function AddAgentDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useMessages("agents");
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [method, setMethod] = useState<"url" | "app">("url");
  const handleRegistered = (agent: Agent) => {
    void queries.invalidateQueries({ queryKey: ["agents"] });
    queries.setQueryData(["agent", agent.name], agent);
    showToast(t("registered", { name: agent.display_name ?? agent.name }));
    onClose();
    navigate(buildAgentAddress(agent.name));
  };
  const tabs = [
    { name: "url", label: t("byUrl") },
    { name: "app", label: t("asApp") },
  ] as const;
  return (
    <Dialog title={t("add")} onClose={onClose}>
      <Tabs label={t("method")} tabs={tabs} chosen={method} onChoose={setMethod}>
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
