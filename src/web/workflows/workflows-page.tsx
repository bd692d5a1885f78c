import { Plus } from "lucide-react";
import { useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { useWords } from "../language.ts";
import { Button } from "../ui/button.tsx";
import { Panel } from "../ui/panel.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { WorkflowInstanceList } from "./workflow-instance-list.tsx";
import { TemplateEditorDialog } from "./template-editor-dialog.tsx";
import { TemplateList } from "./template-list.tsx";
import { WORDS } from "./words.ts";

/** The page with the lists of instances and templates. The tab is part of the URL, so that it can be linked. */
export function WorkflowsPage() {
  const say = useWords(WORDS);
  const [, go] = useLocation();
  const [params] = useSearchParams();
  const [isAdding, setAdding] = useState(false);
  const shown = params.get("show") === "templates" ? "templates" : "instances";
  const add = (
    <Button look="primary" onClick={() => setAdding(true)}>
      <Plus size={16} aria-hidden />
      {say("newTemplate")}
    </Button>
  );
  return (
    <Panel title={say("title")} lead={say("lead")} actions={add}>
      <Tabs
        label={say("areas")}
        tabs={[
          { name: "instances", label: say("instances") },
          { name: "templates", label: say("templates") },
        ]}
        chosen={shown}
        onChoose={(name) => go(name === "templates" ? "/plans?show=templates" : "/plans", { replace: true })}
      >
        {shown === "templates" ? <TemplateList /> : <WorkflowInstanceList />}
      </Tabs>
      {isAdding ? <TemplateEditorDialog template={null} onClose={() => setAdding(false)} /> : null}
    </Panel>
  );
}
