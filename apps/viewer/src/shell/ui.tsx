// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// The small parts that every panel is made of, and which dialogs are open.

import { signal, type Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { X } from 'lucide-preact';
import type { LucideIcon } from 'lucide-preact';
import { openFile, type PictureDraft } from '../session';

export const dialogs = {
  newMap: signal(false),
  exporting: signal(false),
  picture: signal<PictureDraft | null>(null),
};

export async function open(files: Iterable<File>): Promise<void> {
  // Maps first, then the scenarios that belong to them.
  const list = [...files].sort((a, b) => Number(/\.scen$/i.test(a.name)) - Number(/\.scen$/i.test(b.name)));
  for (const file of list) {
    const draft = await openFile(file);
    if (draft) dialogs.picture.value = draft;
  }
}

export function pickFile(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.accept = '.map,.txt,.pgm,.scen,image/*';
  input.addEventListener('change', () => void open(input.files ?? []));
  input.click();
}

export function Section(props: { title: string; aside?: ComponentChildren; children: ComponentChildren }) {
  const id = useId();
  return (
    <section class="section" aria-labelledby={id}>
      <header>
        <h2 id={id}>{props.title}</h2>
        {props.aside}
      </header>
      {props.children}
    </section>
  );
}

export function Field(props: { label: string; children: ComponentChildren; hint?: string }) {
  return (
    <label class="field" title={props.hint}>
      <span>{props.label}</span>
      {props.children}
    </label>
  );
}

/** The title, which names it too, tells its key. */
export function IconButton(props: {
  label: string;
  Icon: LucideIcon;
  size?: number;
  /** Of one that switches something. */
  pressed?: boolean;
  disabled?: boolean;
  onClick(): void;
}) {
  return (
    <button
      class="icon"
      title={props.label}
      aria-label={props.label}
      aria-pressed={props.pressed}
      disabled={props.disabled}
      onClick={props.onClick}
    >
      <props.Icon size={props.size ?? 18} />
    </button>
  );
}

/** A slider, and behind it what it stands at. */
export function Slider(props: {
  label: string;
  value: Signal<number>;
  from: number;
  to: number;
  step?: number;
  /** Default: the value. */
  shown?: string;
  /** What a screen reader says; default: the value. */
  says?: string;
}) {
  const { value } = props;
  return (
    <>
      <input
        type="range"
        min={props.from}
        max={props.to}
        step={props.step}
        value={value.value}
        aria-label={props.label}
        aria-valuetext={props.says}
        onInput={(event) => {
          value.value = event.currentTarget.valueAsNumber;
        }}
      />
      <output>{props.shown ?? value.value}</output>
    </>
  );
}

/** A whole number between two others; what is no number keeps the old value. */
export function Count(props: {
  label: string;
  value: number;
  from: number;
  to: number;
  class?: string;
  disabled?: boolean;
  onChange(value: number): void;
}) {
  return (
    <input
      type="number"
      class={props.class}
      aria-label={props.label}
      min={props.from}
      max={props.to}
      value={props.value}
      disabled={props.disabled}
      onChange={(event) => {
        const value = Math.round(event.currentTarget.valueAsNumber);
        const next = Number.isNaN(value) ? props.value : Math.min(Math.max(value, props.from), props.to);
        event.currentTarget.value = String(next);
        props.onChange(next);
      }}
    />
  );
}

interface Option<T> {
  value: T;
  label: ComponentChildren;
  title?: string;
}

/** One of a few, all of them to be seen: radio buttons that look like a switch. */
export function Segmented<T extends string>(props: {
  label: string;
  value: T;
  options: readonly Option<T>[];
  onChange(value: T): void;
}) {
  const name = useId();
  return (
    <fieldset class="segmented">
      <legend class="hidden">{props.label}</legend>
      {props.options.map((option) => (
        <label key={option.value} title={option.title}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={props.value === option.value}
            onChange={() => props.onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

export function Toggle(props: {
  label: string;
  value: Signal<boolean>;
  disabled?: boolean;
  hint?: string;
  shortcut?: string;
}) {
  return (
    <label class="toggle" title={props.hint} data-disabled={props.disabled}>
      <span>{props.label}</span>
      {props.shortcut && <kbd>{props.shortcut}</kbd>}
      <input
        type="checkbox"
        role="switch"
        checked={props.value.value}
        disabled={props.disabled}
        onChange={(event) => {
          props.value.value = event.currentTarget.checked;
        }}
      />
    </label>
  );
}

/** A modal dialog; the browser keeps the focus inside and gives it back. */
export function Dialog(props: { title: string; onClose(): void; children: ComponentChildren; wide?: boolean }) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    ref.current?.showModal();
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      class={props.wide ? 'wide' : ''}
      onClose={props.onClose}
      onClick={(event) => {
        if (event.target === ref.current) ref.current?.close();
      }}
    >
      <div class="dialog-body">
        <header>
          <h2 id={id}>{props.title}</h2>
          <IconButton label="Close" Icon={X} onClick={() => ref.current?.close()} />
        </header>
        {props.children}
      </div>
    </dialog>
  );
}

export function download(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export const number = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: 0 });

/** 3 significant digits; microseconds, milliseconds or seconds. */
export function time(micros: number): string {
  if (Number.isNaN(micros)) return '–';
  const [value, unit] = micros < 1000 ? [micros, 'µs'] : micros < 1e6 ? [micros / 1e3, 'ms'] : [micros / 1e6, 's'];
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  return `${value.toFixed(digits)} ${unit}`;
}

export const bytes = (value: number): string =>
  value < 1e3 ? `${value} B` : value < 1e6 ? `${(value / 1e3).toFixed(1)} kB` : `${(value / 1e6).toFixed(2)} MB`;
