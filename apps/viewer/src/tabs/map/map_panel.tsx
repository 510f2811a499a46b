// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
import { ArrowLeftRight, Check, ChevronLeft, ChevronRight, LoaderCircle, Trash2 } from 'lucide-preact';
import { useState } from 'preact/hooks';
import type { IndexKind } from 'octile';
import type { Answer, Rules } from '../../engine/api';
import * as session from '../../session';
import * as s from '../../state';
import { bytes, Count, Field, IconButton, number, Section, Segmented, time, Toggle } from '../../shell/ui';

export function MapPanel() {
  return (
    <>
      <Section title="Solvers">
        <Segmented
          label="How many solvers"
          value={s.compare.value}
          options={[
            { value: 'single', label: 'One' },
            { value: 'overlay', label: 'Overlay', title: 'Two over each other, in orange and blue' },
            { value: 'side', label: 'Side by side' },
          ]}
          onChange={(value) => void (s.compare.value = value)}
        />
        <div class="cards" data-two={s.compare.value !== 'single'}>
          <SolverCard which={0} />
          {s.compare.value !== 'single' && <SolverCard which={1} />}
        </div>
        {s.compare.value !== 'single' && <Verdict />}
      </Section>
      {s.scen.value && <Scenario />}
      <RulesSection />
      <Section title="Show">
        <Segmented
          label="What the search touched"
          value={s.searchView.value}
          options={[
            { value: 'sets', label: 'Search', title: 'Cells opened (light) and closed' },
            { value: 'costs', label: 'Costs', title: 'Cost from the start as colours' },
            { value: 'off', label: 'Path only' },
          ]}
          onChange={(value) => void (s.searchView.value = value)}
        />
        <Toggle label="Distance to the goal" shortcut="M" value={s.showHeat} />
        <Toggle label="Flow arrows" shortcut="F" value={s.showFlow} />
        <Toggle label="Grid lines" shortcut="K" value={s.showGrid} />
        <Toggle
          label="Inside of the index"
          shortcut="I"
          value={s.showIndex}
          disabled={!s.shapes.value}
          hint={s.shapes.value ? 'Blocks and portals, or subgoals and hubs' : 'Build an index of subgoals, portals or a quadtree first'}
        />
        {(s.showHeat.value || s.searchView.value === 'costs') && <HeatLegend />}
      </Section>
      <IndexSection />
    </>
  );
}

function HeatLegend() {
  return (
    <div class="legend">
      <span>{s.showHeat.value ? 'far' : 'start'}</span>
      <i class="heat" />
      <span>{s.showHeat.value ? 'goal' : 'far'}</span>
    </div>
  );
}

function SolverCard({ which }: { which: 0 | 1 }) {
  const name = s.solvers.value[which];
  const answer = s.answers.value[which];
  const info = s.about.value?.solvers.find((solver) => solver.name === name);
  return (
    <article class={`card ${which === 0 ? 'orange' : 'blue'}`}>
      <select
        aria-label={which === 0 ? 'Solver A' : 'Solver B'}
        value={name}
        title={info?.summary}
        onChange={(event) => {
          const both: [string, string] = [...s.solvers.value];
          both[which] = event.currentTarget.value;
          s.solvers.value = both;
        }}
      >
        {s.about.value?.solvers.map((solver) => (
          <option key={solver.name} value={solver.name} title={solver.summary}>
            {solver.name}
          </option>
        ))}
      </select>
      {answer ? <Numbers answer={answer} asked={name} /> : <p class="quiet">…</p>}
      {info && s.compare.value === 'single' && <p class="summary">{info.summary}</p>}
    </article>
  );
}

const kStatus: Record<string, string> = {
  no_path: 'No way leads there',
  start_blocked: 'The start is blocked',
  goal_blocked: 'The goal is blocked',
};

function Numbers({ answer, asked }: { answer: Answer; asked: string }) {
  const found = answer.status === 'found';
  return (
    <>
      <dl class="numbers" data-status={answer.status}>
        {found ? (
          <div class="big">
            <dt>Cost</dt>
            <dd data-number="cost" data-exact={answer.cost}>
              {answer.cost.toFixed(2)}
            </dd>
          </div>
        ) : (
          <div class="big no">
            <dt>Status</dt>
            <dd>{kStatus[answer.status] ?? answer.status.replaceAll('_', ' ')}</dd>
          </div>
        )}
        <div>
          <dt>Expanded</dt>
          <dd data-number="expanded">{number(answer.expanded)}</dd>
        </div>
        <div>
          <dt>Time</dt>
          <dd data-number="time">{time(answer.micros)}</dd>
        </div>
        {found && (
          <div>
            <dt>Cells</dt>
            <dd data-number="cells">{number(answer.path.length / 2)}</dd>
          </div>
        )}
      </dl>
      {answer.solver !== asked && (
        <p class="note">
          answered by <b>{answer.solver}</b>
        </p>
      )}
      {answer.bound > 1 && <p class="note">at most {answer.bound.toFixed(2)} times the cheapest</p>}
    </>
  );
}

/** One line: the same cost or not, and who was faster. */
function Verdict() {
  const [a, b] = s.answers.value;
  if (!a || !b || a.status !== 'found' || b.status !== 'found') return null;
  const [nameA, nameB] = s.solvers.value;
  const same = Math.abs(a.cost - b.cost) <= 1e-6 * Math.max(1, a.cost);
  const ratio = a.micros / b.micros;
  const faster = ratio >= 1 ? nameB : nameA;
  return (
    <p class="verdict" role="status">
      {same ? (
        <>
          <Check size={15} /> Equal cost
        </>
      ) : (
        <>
          {a.cost > b.cost ? nameA : nameB} is longer by {Math.abs(a.cost - b.cost).toFixed(2)}
        </>
      )}
      {nameA !== nameB && ratio > 0 && Number.isFinite(ratio) && (
        <>
          {' · '}
          <b>{faster}</b> {Math.max(ratio, 1 / ratio).toFixed(1)}× faster
        </>
      )}
    </p>
  );
}

function Scenario() {
  const { name, lines } = s.scen.value!;
  const at = s.scenAt.value;
  const line = lines[at]!;
  const answer = s.answers.value[0];
  const still =
    line.start.x === s.start.value.x &&
    line.start.y === s.start.value.y &&
    line.goal.x === s.goal.value.x &&
    line.goal.y === s.goal.value.y;
  const equal = answer && Math.abs(answer.cost - line.optimum) < 0.01;
  return (
    <Section title={`Scenario ${name}`}>
      <div class="stepper">
        <IconButton label="Query before" Icon={ChevronLeft} size={17} disabled={at === 0} onClick={() => session.chooseScen(at - 1)} />
        <label>
          <Count label="Number of the query" value={at + 1} from={1} to={lines.length} onChange={(v) => session.chooseScen(v - 1)} />
          <span>of {number(lines.length)}</span>
        </label>
        <IconButton
          label="Query after"
          Icon={ChevronRight}
          size={17}
          disabled={at === lines.length - 1}
          onClick={() => session.chooseScen(at + 1)}
        />
      </div>
      <p class="quiet">
        Published optimum {line.optimum.toFixed(2)}
        {still && answer?.status === 'found' && (equal ? ' · met' : ` · this path costs ${answer.cost.toFixed(2)}`)}
      </p>
    </Section>
  );
}

function RulesSection() {
  const rules = s.rules.value;
  const set = (change: Partial<Rules>) => session.setRules(change);
  return (
    <Section title="Moves">
      <Field label="Directions">
        <select
          aria-label="Directions"
          value={rules.moves}
          onChange={(event) => set({ moves: event.currentTarget.value as Rules['moves'] })}
        >
          <option value="eight">Eight</option>
          <option value="four">Four</option>
        </select>
      </Field>
      <Field label="Diagonals" hint="May a diagonal step pass walls beside it?">
        <select
          aria-label="Diagonals"
          value={rules.diagonal}
          disabled={rules.moves === 'four'}
          onChange={(event) => set({ diagonal: event.currentTarget.value as Rules['diagonal'] })}
        >
          <option value="no_obstacles">No corner cutting</option>
          <option value="at_most_one_obstacle">At most one wall</option>
          <option value="always">Always</option>
        </select>
      </Field>
      <Field label="Metric" hint="Length of a diagonal step">
        <select
          aria-label="Metric"
          value={rules.metric}
          onChange={(event) => set({ metric: event.currentTarget.value as Rules['metric'] })}
        >
          <option value="octile">Octile, √2</option>
          <option value="ten_fourteen">10 and 14</option>
          <option value="chebyshev">Chebyshev, 1</option>
        </select>
      </Field>
      <div class="field">
        <span>Unit size</span>
        <span class="size">
          <Count label="Width of the unit in cells" value={rules.width} from={1} to={16} onChange={(width) => set({ width })} />
          ×
          <Count label="Height of the unit in cells" value={rules.height} from={1} to={16} onChange={(height) => set({ height })} />
        </span>
      </div>
      <button
        class="wide"
        onClick={() => {
          const [start, goal] = [s.start.peek(), s.goal.peek()];
          s.start.value = goal;
          s.goal.value = start;
        }}
      >
        <ArrowLeftRight size={15} /> Swap start and goal
      </button>
    </Section>
  );
}

const kKinds: { value: IndexKind; label: string }[] = [
  { value: 'tile_labels', label: 'Tile labels (labels)' },
  { value: 'subgoal_labels', label: 'Subgoal labels (subgoal)' },
  { value: 'subgoal_graph', label: 'Subgoal graph (subgoal)' },
  { value: 'portals', label: 'Portals' },
  { value: 'quadtree', label: 'Quadtree' },
];

function IndexSection() {
  const [kind, setKind] = useState<IndexKind>('tile_labels');
  const report = s.indexReport.value;
  return (
    <Section title="Index">
      <div class="field-row">
        <select
          aria-label="Kind of index"
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value as IndexKind)}
        >
          {kKinds.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        {s.indexBuilding.value ? (
          <button onClick={() => void session.removeIndex()}>
            <LoaderCircle class="spin" size={15} /> Stop
          </button>
        ) : (
          <button disabled={!s.map.value} onClick={() => void session.buildIndex(kind)}>
            Build
          </button>
        )}
      </div>
      {report ? (
        <div class="report">
          <p>
            <b>{report.kind.replaceAll('_', ' ')}</b> · {bytes(report.bytes)} · {time(s.indexMillis.value * 1000)}
          </p>
          <p class="quiet">
            {[
              report.subgoals && `${number(report.subgoals)} subgoals`,
              report.hubs && `${number(report.hubs)} hubs`,
              report.blocks && `${number(report.blocks)} blocks`,
              report.portals && `${number(report.portals)} portals`,
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
          {s.shapes.value && s.showIndex.value && (
            <p class="quiet">
              {report.hubs ? 'Dots are subgoals, larger ones the higher hubs.' : report.subgoals ? 'Dots are subgoals.' : 'Lines are blocks, dots portals.'}
            </p>
          )}
          {report.reason && <p class="note">{report.reason}</p>}
          <IconButton label="Remove the index" Icon={Trash2} size={15} onClick={() => void session.removeIndex()} />
        </div>
      ) : (
        <p class="quiet">
          Computed once, then whole paths in about a microsecond. Serves eight moves without corner cutting; an edit drops
          it here.
        </p>
      )}
    </Section>
  );
}
