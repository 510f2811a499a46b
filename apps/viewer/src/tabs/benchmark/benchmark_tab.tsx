// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// The tab "Benchmark": many queries, some solvers; are they right, and how long do they take.

import { ChartScatter, Download, LoaderCircle, MapPin, Play, Square, TriangleAlert } from 'lucide-preact';
import { batch } from '@preact/signals';
import * as s from '../../state';
import { Count, download, Field, number, Section, Segmented, time, Toggle } from '../../shell/ui';
import type { TabModule } from '../../shell/tab';
import * as b from './bench_state';
import { Chart, colour } from './chart';
import './benchmark.css';

function showOnMap(row: number): void {
  const line = b.run.peek()?.rows[row]?.line;
  if (!line) return;
  batch(() => {
    s.start.value = line.start;
    s.goal.value = line.goal;
    s.tab.value = 'map';
  });
}

function saveCsv(): void {
  const run = b.run.peek();
  if (!run) return;
  const name = run.title.replace(/\.\w+$/, '').replace(/[^\w-]+/g, '_');
  download(`${name}_times.csv`, new Blob([b.csv(run)], { type: 'text/csv' }));
}

function toggle(): void {
  if (b.running.peek()) b.stop();
  else void b.start();
}

// --- The page ---------------------------------------------------------------------------------

function Main() {
  const run = b.run.value;
  return (
    <div class="bench">
      <Progress />
      {b.failure.value && (
        <p class="bench-failure" role="alert">
          <TriangleAlert size={17} /> {b.failure.value}
        </p>
      )}
      {run && run.rows.length > 0 ? (
        <>
          <Chart run={run} onOpen={showOnMap} />
          <Readout run={run} />
          <Table run={run} />
        </>
      ) : (
        !b.running.value && !b.failure.value && <Nothing />
      )}
    </div>
  );
}

function Nothing() {
  return (
    <div class="bench-empty">
      <ChartScatter size={36} />
      <h1>Nothing measured yet</h1>
      <p>
        {!s.map.value
          ? 'Open a map first.'
          : s.scen.value
            ? `The queries of ${s.scen.value.name}, or random ones: choose solvers, then run them.`
            : 'Random queries on this map, or open its .scen: choose solvers, then run them.'}
      </p>
      <RunButton />
    </div>
  );
}

function RunButton() {
  return (
    <button class="primary" disabled={!s.map.value || !b.chosen.value.length} onClick={() => void b.start()}>
      <Play size={15} /> Run
    </button>
  );
}

function Progress() {
  const running = b.running.value;
  const run = b.run.value;
  if (!running && !run) return null;
  const done = run?.rows.length ?? 0;
  return (
    <header class="bench-head">
      <div class="bench-title">
        <h1>{run?.title ?? 'Benchmark'}</h1>
        <p class="quiet" role="status">
          {run
            ? `${number(done)} of ${number(run.total)} queries${running || done === run.total ? '' : ', stopped'} · costs against ${run.against}`
            : 'Warming up …'}
        </p>
      </div>
      {running ? (
        <button onClick={b.stop}>
          <Square size={14} /> Stop
        </button>
      ) : (
        <button onClick={saveCsv} disabled={!done}>
          <Download size={15} /> CSV
        </button>
      )}
      <progress max={run?.total ?? 1} value={run ? done : undefined} data-running={running !== ''} />
    </header>
  );
}

function Readout({ run }: { run: b.Run }) {
  const at = b.at.value;
  const row = at === null ? undefined : run.rows[at];
  if (!row) return <p class="bench-readout quiet">Each dot is a query. Point at one, or use ← and → on the chart.</p>;
  const { start, goal } = row.line;
  return (
    <p class="bench-readout">
      <span>
        {start.x}, {start.y} → {goal.x}, {goal.y}
        {row.reference !== null && ` · ${row.reference === Infinity ? 'no path' : row.reference.toFixed(2)}`}
      </span>
      {run.solvers.map((name, i) => (
        <span key={name} data-wrong={b.isWrong(row.answers[i]!, row.reference)}>
          <Dot solver={name} /> {name} <b>{time(row.answers[i]!.micros)}</b>
          {b.isWrong(row.answers[i]!, row.reference) &&
            ` costs ${row.answers[i]!.status === 'found' ? row.answers[i]!.cost.toFixed(2) : row.answers[i]!.status}`}
        </span>
      ))}
      <button onClick={() => showOnMap(at!)}>
        <MapPin size={14} /> On the map
      </button>
    </p>
  );
}

const Dot = ({ solver }: { solver: string }) => <i class="dot" style={{ background: colour(solver) }} />;

function Table({ run }: { run: b.Run }) {
  const sums = b.sums(run);
  const best = Math.min(...sums.map((sum) => sum.mean));
  return (
    <div class="bench-table" tabIndex={0} role="region" aria-label="Sums of each solver">
      <table>
        <thead>
          <tr>
            <th scope="col">Solver</th>
            <th scope="col">Queries</th>
            <th scope="col">Mean</th>
            <th scope="col">Median</th>
            <th scope="col">p95</th>
            <th scope="col">p99</th>
            <th scope="col">Max</th>
            <th scope="col" title="Nodes a query, on average">
              Expanded
            </th>
            <th scope="col" title={`Costs that contradict: ${run.against}`}>
              Wrong
            </th>
          </tr>
        </thead>
        <tbody>
          {sums.map((sum) => (
            <tr key={sum.solver} data-solver={sum.solver} data-best={sums.length > 1 && sum.mean === best}>
              <th scope="row">
                <Dot solver={sum.solver} /> {sum.solver}
                {sum.others.length > 0 && (
                  <small>answered by {sum.others.map(([name, count]) => `${name} ${number(count)}`).join(', ')}</small>
                )}
              </th>
              <td>{number(sum.queries)}</td>
              {[sum.mean, sum.median, sum.p95, sum.p99, sum.max].map((value, i) => (
                <td key={i}>{time(value)}</td>
              ))}
              <td>{number(sum.expanded)}</td>
              <td data-wrong={sum.wrong}>
                {sum.wrong === null ? (
                  '–'
                ) : sum.wrong ? (
                  <button title="Show the first one on the map" onClick={() => showOnMap(sum.firstWrong)}>
                    {number(sum.wrong)}
                  </button>
                ) : (
                  '0'
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// --- The settings -----------------------------------------------------------------------------

function Panel() {
  const running = b.running.value !== '';
  const scen = s.scen.value;
  return (
    <>
      <section class="section">
        {running ? (
          <button class="wide" onClick={b.stop}>
            <LoaderCircle class="spin" size={15} /> Stop <kbd>P</kbd>
          </button>
        ) : (
          <button class="primary wide" disabled={!s.map.value || !b.chosen.value.length} onClick={() => void b.start()}>
            <Play size={15} /> {b.run.value ? 'Run again' : 'Run'}
          </button>
        )}
        {!b.chosen.value.length && <p class="note">Choose a solver.</p>}
      </section>
      <Section title="Queries">
        {scen && (
          <Segmented
            label="Where the queries come from"
            value={b.source.value}
            options={[
              { value: 'scenario', label: 'Scenario', title: scen.name },
              { value: 'random', label: 'Random' },
            ]}
            onChange={b.setSource}
          />
        )}
        <Field label="At most">
          <Count label="Number of queries" value={b.most.value} from={1} to={b.kMostQueries} disabled={running} onChange={(v) => void (b.most.value = v)} />
        </Field>
        <Field label="Seed" hint={scen ? 'Of random queries, and of the order' : 'The same seed gives the same queries'}>
          <Count label="Seed" value={b.seed.value} from={0} to={4294967295} disabled={running} onChange={(v) => void (b.seed.value = v)} />
        </Field>
        <p class="quiet">
          {b.source.value === 'scenario'
            ? `${number(scen!.lines.length)} queries in ${scen!.name}. ${
                b.published.value
                  ? 'Costs are checked against its optima.'
                  : 'Its optima do not hold for edited maps and other moves: they are not used.'
              }`
            : 'Pairs of cells with a way between them, drawn with the seed.'}
        </p>
      </Section>
      <Section title="Solvers">
        <div class="bench-solvers">
          {s.about.value?.solvers.map(({ name, summary }) => (
            <label key={name} title={summary}>
              <input
                type="checkbox"
                checked={b.chosen.value.includes(name)}
                disabled={running}
                onChange={() => b.toggleSolver(name)}
              />
              {b.chosen.value.includes(name) && <Dot solver={name} />}
              <span>{name}</span>
            </label>
          ))}
        </div>
        <p class="quiet">
          {s.indexReport.value
            ? `With the index on the map: ${s.indexReport.value.kind.replaceAll('_', ' ')}.`
            : 'labels, subgoal and portals need an index: build one on the Map tab.'}
        </p>
      </Section>
      <Section title="Measuring">
        <Field label="Rounds" hint="Each query is measured so often; the least counts">
          <Count label="Rounds" value={b.rounds.value} from={1} to={20} disabled={running} onChange={(v) => void (b.rounds.value = v)} />
        </Field>
        <Toggle
          label="Check with dijkstra"
          value={b.judge}
          disabled={running || b.published.value}
          hint="Untimed; slow on large maps. Without it the exact solvers are compared with each other"
        />
        <p class="quiet">
          Microseconds of one call in WebAssembly, path included, after a warm-up. Short queries are repeated until a batch
          lasts 20 ticks of the browser's clock
          {b.clock.value > 0 && `, which ticks every ${time(b.clock.value * 1000)} here`}.
        </p>
      </Section>
    </>
  );
}

export const benchmarkTab: TabModule = {
  id: 'benchmark',
  label: 'Benchmark',
  Icon: ChartScatter,
  Panel,
  Main,
  keys: [{ keys: ['p'], group: 'Benchmark', does: 'Run or stop', run: toggle }],
  deactivate: b.stop,
  save: () => ({ bench: b.chosen.peek().join(','), queries: `${b.most.peek()},${b.seed.peek()},${b.rounds.peek()}` }),
  restore(values) {
    const known = s.about.peek()!.solvers.map((solver) => solver.name);
    const names = (values.get('bench') ?? '').split(',').filter((name) => known.includes(name));
    if (names.length) b.chosen.value = names;
    const match = /^(\d{1,4}),(\d{1,10}),(\d{1,2})$/.exec(values.get('queries') ?? '');
    if (!match) return;
    b.most.value = Math.min(Math.max(Number(match[1]), 1), b.kMostQueries);
    b.seed.value = Math.min(Number(match[2]), 4294967295);
    b.rounds.value = Math.min(Math.max(Number(match[3]), 1), 20);
  },
};
