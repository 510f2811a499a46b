// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
import { ChevronRight, Dices, LoaderCircle, Pause, Play, SkipBack, TriangleAlert } from 'lucide-preact';
import type { Formation } from 'octile';
import type { UnitsMode } from '../../engine/api';
import { css } from '../../render/palette';
import { Count, Field, IconButton, number, Section, Segmented, Slider, time, Toggle } from '../../shell/ui';
import * as s from '../../state';
import { colorOf } from './units_layer';
import { kArrived, kBuried, kCutOff, kWaits, kWalks } from './units_engine';
import * as u from './units_state';
import './units.css';

export const kModes: readonly { value: UnitsMode; label: string; says: string }[] = [
  { value: 'flow', label: 'Flow field', says: 'All ask one field for their next cell. It knows of no others: units share cells, and who arrives leaves the map.' },
  { value: 'steps', label: 'Steps', says: 'The step planner moves all of them a tick at a time, without collisions.' },
  { value: 'plan', label: 'Plan', says: 'Every step of every unit is planned before the first one, without collisions.' },
];
export const kFormations: readonly Formation[] = ['box', 'wedge', 'column', 'compact', 'keep_shape'];

export function UnitsPanel() {
  const flow = u.mode.value === 'flow';
  const together = !flow && u.goals.value === 'formation';
  return (
    <>
      <Section title="Units">
        <Segmented
          label="Who leads the units"
          value={u.mode.value}
          options={kModes.map(({ value, label, says }) => ({ value, label, title: says }))}
          onChange={(value) => void (u.mode.value = value)}
        />
        <p class="quiet">{kModes.find(({ value }) => value === u.mode.value)!.says}</p>
        <Field label="How many">
          <Count class="short" label="How many" value={u.count.value} from={1} to={u.kMost} onChange={(v) => void (u.count.value = v)} />
        </Field>
        <div class="field">
          <span>Seed</span>
          <span class="size">
            <Count class="short" label="Seed" value={u.seed.value} from={0} to={999999} onChange={(v) => void (u.seed.value = v)} />
            <IconButton label="Another seed (Q)" Icon={Dices} size={16} onClick={() => void u.seed.value++} />
          </span>
        </div>
      </Section>
      {!flow && (
        <Section title="Order">
          <Segmented
            label="Where they go"
            value={u.goals.value}
            options={[
              { value: 'formation', label: 'As a group', title: 'From the start to the goal, in formation' },
              { value: 'own', label: 'Each its own', title: 'From anywhere to anywhere, by the seed' },
            ]}
            onChange={(value) => void (u.goals.value = value)}
          />
          <Field label="Formation">
            <select
              value={u.formation.value}
              disabled={!together}
              onChange={(event) => void (u.formation.value = event.currentTarget.value as Formation)}
            >
              {kFormations.map((name) => (
                <option key={name} value={name}>
                  {name.replace('_', ' ')}
                </option>
              ))}
            </select>
          </Field>
          <Field label="Cells between">
            <Count
              class="short"
              label="Cells between"
              value={u.spacing.value}
              from={0}
              to={8}
              disabled={!together}
              onChange={(v) => void (u.spacing.value = v)}
            />
          </Field>
        </Section>
      )}
      <Figures />
      <Section title="Show">
        <Toggle label="Distance to the goal" shortcut="M" value={s.showHeat} />
        <Toggle label="Flow arrows" shortcut="F" value={s.showFlow} />
        <Toggle label="Grid lines" shortcut="K" value={s.showGrid} />
      </Section>
    </>
  );
}

function Figures() {
  const report = u.report.value;
  const palette = s.palette.value;
  if (u.error.value) {
    return (
      <Section title="Figures">
        <p class="units-error" role="alert">
          <TriangleAlert size={16} /> <span>{u.error.value}</span>
        </p>
      </Section>
    );
  }
  if (!report) {
    return (
      <Section title="Figures">
        <p class="quiet">{s.map.value ? 'The units are being placed …' : 'There is no map: choose a scene, or draw one.'}</p>
      </Section>
    );
  }
  const all = report.state.length;
  let waiting = 0;
  for (const state of report.state) if (state === kWaits) ++waiting;
  const kinds = [
    { state: kWalks, label: 'walk', count: all - waiting - report.arrived - report.buried - report.cutOff },
    { state: kWaits, label: 'wait', count: waiting },
    { state: kArrived, label: 'arrived', count: report.arrived },
    { state: kCutOff, label: 'no way', count: report.cutOff },
    { state: kBuried, label: 'in a wall', count: report.buried },
  ];
  return (
    <Section title="Figures" aside={u.busy.value ? <LoaderCircle class="spin" size={15} aria-label="Working" /> : undefined}>
      <dl class="numbers units-numbers">
        <div>
          <dt>Arrived</dt>
          <dd>
            <b data-number="arrived">{number(report.arrived)}</b> / <span data-number="units">{number(all)}</span>
          </dd>
        </div>
        <div>
          <dt>Collisions</dt>
          <dd data-number="collisions" data-bad={report.collisions > 0}>
            {number(report.collisions)}
          </dd>
        </div>
        <div>
          <dt>Tick</dt>
          <dd>
            <span data-number="tick">{number(report.tick)}</span>
            {report.planned > 0 && <small> + {number(report.planned)}</small>}
          </dd>
        </div>
        <div>
          <dt>{u.mode.value === 'plan' ? 'Plan' : 'A tick'}</dt>
          <dd data-number="time">{time(u.mode.value === 'plan' ? report.orderMillis * 1000 : report.micros)}</dd>
        </div>
      </dl>
      <ul class="units-kinds">
        {kinds
          .filter((kind) => kind.count > 0)
          .map((kind) => (
            <li key={kind.state}>
              <i style={{ background: css(colorOf(kind.state, palette)) }} />
              {number(kind.count)} {kind.label}
            </li>
          ))}
      </ul>
      <p class="quiet">
        Last order or edit: {report.did}, {time(report.orderMillis * 1000)}.
      </p>
      {report.note && (
        <p class="note" role="status">
          {report.note}
        </p>
      )}
    </Section>
  );
}

export function UnitsBar() {
  const off = !u.report.value;
  const now = u.report.value;
  const share = now && now.state.length ? now.arrived / now.state.length : 0;
  return (
    <div class="playback" role="group" aria-label="Units" data-off={off}>
      <IconButton label="From the beginning (R)" Icon={SkipBack} size={17} disabled={off} onClick={u.restart} />
      <IconButton
        label={u.playing.value ? 'Pause (P)' : 'Play (P)'}
        Icon={u.playing.value ? Pause : Play}
        disabled={off}
        onClick={() => (u.playing.value ? u.pause() : u.play())}
      />
      <IconButton label="A tick on (.)" Icon={ChevronRight} disabled={off} onClick={() => void u.step()} />
      <progress class="units-progress" max={1} value={share} aria-label="Share of the units that have arrived" />
      <span class="count">
        {number(now?.arrived ?? 0)} <small>/ {number(now?.state.length ?? 0)} arrived</small>
      </span>
      <label class="speed" title="Ticks a second (< and >)">
        <Slider
          label="Speed"
          value={u.rate}
          from={1}
          to={60}
          shown={`${u.rate.value}/s`}
          says={`${u.rate.value} ticks a second`}
        />
      </label>
    </div>
  );
}
