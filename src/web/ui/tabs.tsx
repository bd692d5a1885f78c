import { useId, useRef, type KeyboardEvent, type ReactNode } from "react";
import styles from "./tabs.module.css";

type TabOption<Name extends string> = { readonly name: Name; readonly label: string };

/** Tabs with keyboard navigation (arrow keys, Home, End). `children` is the content of the chosen tab. */
export function Tabs<Name extends string>({
  label,
  tabs,
  chosen,
  onChoose,
  children,
}: {
  readonly label: string;
  readonly tabs: readonly TabOption<Name>[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
  readonly children: ReactNode;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const index = tabs.findIndex(({ name }) => name === chosen);
    const steps: Record<string, number> = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 };
    const to = steps[event.key];
    const next = to === undefined ? undefined : tabs.at(to % tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next.name);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus();
  };
  return (
    <div>
      <div ref={list} role="tablist" aria-label={label} className={styles["tabs"]}>
        {tabs.map(({ name, label: text }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            data-tab={name}
            aria-selected={name === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen ? 0 : -1}
            className={styles["tab"]}
            onClick={() => onChoose(name)}
            onKeyDown={move}
          >
            {text}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </div>
  );
}
