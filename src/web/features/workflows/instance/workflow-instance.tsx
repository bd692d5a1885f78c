import { Square, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { WorkflowInstanceDetails } from "../../../../protocol/workflows/workflow-instance.ts";
import { useQueryClient } from "@tanstack/react-query";
import {
  ConversationCommandsContext,
  ConversationContext,
  useConversation,
} from "../../conversations/state/conversation-context.ts";
import { useFormatter } from "../../../ui/format/formatter.ts";
import { useMessages } from "../../../session/language.ts";
import { ElapsedTime } from "../../../ui/format/elapsed-time.tsx";
import { VerificationCard } from "../../conversations/items/verification-card.tsx";
import { api } from "../../../session/full-api.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/overlay/dialog.tsx";
import { LoadFailure, Loading } from "../../../ui/notice.tsx";
import { Panel, BackLink } from "../../../ui/panel.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { drawInstance } from "../diagram/drawn-workflow.ts";
import { ResumeForm } from "./resume-form.tsx";
import styles from "./workflow-instance.module.css";
import { WorkflowDiagram } from "../diagram/workflow-diagram.tsx";
import { INSTANCE_TONES } from "../instance-status.ts";
import { InstanceTimeline } from "./instance-timeline.tsx";
import { useInstanceConversation } from "./use-instance-conversation.ts";
import { useWorkflowInstance, useTemplate } from "../use-workflows.ts";
import { QuestionCard } from "../../conversations/question/question-card.tsx";

/**
 * The page of an instance, kept current: status, form to resume it, questions, diagram, verification and log. A running
 * instance can be stopped.
 */
export function WorkflowInstancePage({ id }: { readonly id: string }) {
  const t = useMessages("workflows");
  const { data: instance, error, refetch } = useWorkflowInstance(id);
  if (instance !== undefined) return <LiveInstance instance={instance} />;
  return (
    <Panel title={t("instance")}>
      <BackLink href="/plans" label={t("title")} />
      {error === null ? <Loading /> : <LoadFailure error={error} onRetry={() => void refetch()} />}
    </Panel>
  );
}

function LiveInstance({ instance }: { readonly instance: WorkflowInstanceDetails }) {
  const t = useMessages("workflows");
  const { plan_instance_id: id, plan_id, plan_version, conversation_id, name, hold, verification } = instance;
  const conversation = useInstanceConversation(id, conversation_id);
  const openQuestions = new Set(conversation.view.pending.map(({ request_id }) => request_id));
  const { data: template } = useTemplate(plan_id, plan_version);
  return (
    <ConversationContext value={conversation}>
      <ConversationCommandsContext value={conversation}>
        <Panel
          title={conversation.view.conversation?.title ?? name}
          actions={canContinue(instance) ? <StopInstanceButton instance={instance} /> : null}
        >
          <BackLink href="/plans" label={t("title")} />
          <div className={styles["sheet"]}>
            <InstanceHeader instance={instance} isWaiting={hold !== undefined || openQuestions.size > 0} />
            {conversation.state.status === "waiting" ? (
              <p role="status" className="quiet">
                {t("offline")}
              </p>
            ) : null}
            {hold === undefined ? null : (
              <ResumeForm key={hold.request_id} instance={instance} hold={hold} template={template} />
            )}
            <WorkflowQuestions excludedId={hold?.request_id} />
            <section className={styles["section"]}>
              <h2>{t("course")}</h2>
              <WorkflowDiagram
                workflow={drawInstance(instance, template, conversation.view.isCaughtUp ? openQuestions : null)}
              />
            </section>
            {verification === undefined ? null : (
              <VerificationCard
                payload={{ summary: formatVerificationSummary(verification.summary), results: verification.checklist }}
              />
            )}
            <InstanceTimeline instance={instance} />
          </div>
        </Panel>
      </ConversationCommandsContext>
    </ConversationContext>
  );

  function formatVerificationSummary(summary: NonNullable<WorkflowInstanceDetails["verification"]>["summary"]): string {
    return t("verified", {
      verified: summary.verified_count,
      total: summary.total_count,
      unable: summary.unable_to_verify_count,
      failed: summary.failed_count + summary.exception_count,
    });
  }
}

/** Returns true if the instance can still run: it is active or on hold. */
function canContinue({ status, ended_at, hold }: WorkflowInstanceDetails): boolean {
  return hold !== undefined || (ended_at === undefined && (status === "running" || status === "not_started"));
}

function InstanceHeader({
  instance,
  isWaiting,
}: {
  readonly instance: WorkflowInstanceDetails;
  readonly isWaiting: boolean;
}) {
  const t = useMessages("workflows");
  const format = useFormatter();
  const { status, error, hold, plan_id, plan_version, conversation_id, started_at, ended_at } = instance;
  const span = { from: started_at, ...(ended_at === undefined ? {} : { to: ended_at }) };
  return (
    <header className={styles["about"]}>
      <div className={styles["line"]}>
        <Badge tone={INSTANCE_TONES[status]}>{t(`status_${status}`)}</Badge>
        {!isWaiting ? null : (
          <Badge tone="warn">
            <TriangleAlert size={14} aria-hidden />
            {t("needsInput")}
          </Badge>
        )}
        <span className="quiet">{t("startedAt", { when: format.time(started_at) })}</span>
        <span className="quiet">
          <ElapsedTime span={span} isRunning={canContinue(instance)} />
        </span>
      </div>
      <div className={styles["line"]}>
        <Link href={`/plans/${plan_id}`}>{t("openTemplate", { n: plan_version })}</Link>
        <Link href={`/c/${conversation_id}`}>{t("openConversation")}</Link>
      </div>
      {error === undefined || hold !== undefined ? null : <p className={styles["error"]}>{error}</p>}
    </header>
  );
}

function StopInstanceButton({
  instance: { plan_instance_id: id, name },
}: {
  readonly instance: WorkflowInstanceDetails;
}) {
  const t = useMessages("workflows");
  const queries = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);
  const stop = async () => {
    queries.setQueryData(["instance", id], await api.cancelPlanInstance(id));
    void queries.invalidateQueries({ queryKey: ["instances"] });
    showToast(t("stopped", { name }));
  };
  return (
    <>
      <Button look="danger" onClick={() => setConfirming(true)}>
        <Square size={16} aria-hidden />
        {t("stop")}
      </Button>
      {isConfirming ? (
        <ConfirmDialog
          title={t("stopTitle", { name })}
          action={t("stop")}
          onConfirm={stop}
          onClose={() => setConfirming(false)}
        >
          <p>{t("stopMore")}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

/** The open questions of an instance, except `excludedId`, which has a form of its own; nothing if there are none. */
function WorkflowQuestions({ excludedId }: { readonly excludedId: string | undefined }) {
  const t = useMessages("workflows");
  const { view } = useConversation();
  const open = new Set(view.pending.map(({ request_id }) => request_id).filter((id) => id !== excludedId));
  if (open.size === 0) return null;
  const items = [...view.items.values()].filter(({ payload }) => open.has(String(payload["request_id"])));
  return (
    <section className={styles["section"]}>
      <h2>{t("questions")}</h2>
      {items.map((item) => (
        <QuestionCard key={item.item_id} item={item} />
      ))}
    </section>
  );
}
