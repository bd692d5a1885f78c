import { Square, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { PlanInstance } from "../../protocol/plan-instance.ts";
import { useQueryClient } from "@tanstack/react-query";
import { TalkActionsContext, TalkContext } from "../chat/talk.ts";
import { useFormat } from "../format.ts";
import { useWords } from "../language.ts";
import { Elapsed } from "../plan/elapsed.tsx";
import { Verification } from "../plan/verification.tsx";
import { api } from "../runtime.ts";
import { Back } from "../ui/back.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Failure, Loading } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import { toast } from "../ui/toast.tsx";
import { pictureOfInstance } from "./drawn.ts";
import { Held } from "./held.tsx";
import styles from "./instance.module.css";
import { PlanPicture } from "./picture.tsx";
import { Questions } from "./questions.tsx";
import { TONES } from "./standing.ts";
import { Timeline } from "./timeline.tsx";
import { useLive } from "./use-live.ts";
import { useInstance, useTemplate } from "./use-plans.ts";
import { WORDS } from "./words.ts";

export function Instance({ id }: { readonly id: string }) {
  const say = useWords(WORDS);
  const { data: instance, error, refetch } = useInstance(id);
  if (instance !== undefined) return <Live instance={instance} />;
  return (
    <Panel title={say("instance")}>
      <Back href="/plans" label={say("title")} />
      {error === null ? <Loading /> : <Failure error={error} onRetry={() => void refetch()} />}
    </Panel>
  );
}

function Live({ instance }: { readonly instance: PlanInstance }) {
  const say = useWords(WORDS);
  const { plan_instance_id: id, plan_id, plan_version, conversation_id, name, hold, verification } = instance;
  const talk = useLive(id, conversation_id);
  const open = new Set(talk.view.pending.map(({ request_id }) => request_id));
  const { data: template } = useTemplate(plan_id, plan_version);
  return (
    <TalkContext value={talk}>
      <TalkActionsContext value={talk}>
        <Panel
          title={talk.view.conversation?.title ?? name}
          actions={isOpen(instance) ? <Stop instance={instance} /> : null}
        >
          <Back href="/plans" label={say("title")} />
          <div className={styles["sheet"]}>
            <Head instance={instance} isWaiting={hold !== undefined || open.size > 0} />
            {talk.state.status === "waiting" ? (
              <p role="status" className={styles["quiet"]}>
                {say("offline")}
              </p>
            ) : null}
            {hold === undefined ? null : (
              <Held key={hold.request_id} instance={instance} hold={hold} template={template} />
            )}
            <Questions besides={hold?.request_id} />
            <section className={styles["section"]}>
              <h2>{say("course")}</h2>
              <PlanPicture picture={pictureOfInstance(instance, template, talk.view.isCaughtUp ? open : null)} />
            </section>
            {verification === undefined ? null : (
              <Verification payload={{ summary: summaryOf(verification.summary), results: verification.checklist }} />
            )}
            <Timeline instance={instance} />
          </div>
        </Panel>
      </TalkActionsContext>
    </TalkContext>
  );

  function summaryOf(summary: NonNullable<PlanInstance["verification"]>["summary"]): string {
    return say("verified", {
      verified: summary.verified_count,
      total: summary.total_count,
      unable: summary.unable_to_verify_count,
      failed: summary.failed_count + summary.exception_count,
    });
  }
}

/** Returns true if the instance can still run: it is active or on hold. */
function isOpen({ status, ended_at, hold }: PlanInstance): boolean {
  return hold !== undefined || (ended_at === undefined && (status === "running" || status === "not_started"));
}

function Head({ instance, isWaiting }: { readonly instance: PlanInstance; readonly isWaiting: boolean }) {
  const say = useWords(WORDS);
  const format = useFormat();
  const { status, error, hold, plan_id, plan_version, conversation_id, started_at, ended_at } = instance;
  const span = { from: started_at, ...(ended_at === undefined ? {} : { to: ended_at }) };
  return (
    <header className={styles["about"]}>
      <div className={styles["line"]}>
        <Badge tone={TONES[status]}>{say(`status_${status}`)}</Badge>
        {!isWaiting ? null : (
          <Badge tone="warn">
            <TriangleAlert size={14} aria-hidden />
            {say("waitsForYou")}
          </Badge>
        )}
        <span className={styles["quiet"]}>{say("startedAt", { when: format.time(started_at) })}</span>
        <span className={styles["quiet"]}>
          <Elapsed span={span} isRunning={isOpen(instance)} />
        </span>
      </div>
      <div className={styles["line"]}>
        <Link href={`/plans/${plan_id}`}>{say("openTemplate", { n: plan_version })}</Link>
        <Link href={`/c/${conversation_id}`}>{say("openConversation")}</Link>
      </div>
      {error === undefined || hold !== undefined ? null : <p className={styles["error"]}>{error}</p>}
    </header>
  );
}

function Stop({ instance: { plan_instance_id: id, name } }: { readonly instance: PlanInstance }) {
  const say = useWords(WORDS);
  const queries = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const stop = async () => {
    queries.setQueryData(["instance", id], await api.cancelPlanInstance(id));
    void queries.invalidateQueries({ queryKey: ["instances"] });
    toast(say("stoppedNow", { name }));
  };
  return (
    <>
      <Button look="danger" onClick={() => setAsked(true)}>
        <Square size={16} aria-hidden />
        {say("stop")}
      </Button>
      {isAsked ? (
        <Confirm
          title={say("stopTitle", { name })}
          action={say("stop")}
          onConfirm={stop}
          onClose={() => setAsked(false)}
        >
          <p>{say("stopMore")}</p>
        </Confirm>
      ) : null}
    </>
  );
}
