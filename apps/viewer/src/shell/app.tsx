// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// The page: a bar on top, the map with its tools, a panel beside it, a line of readouts below.

import { useEffect, useRef, useState } from 'preact/hooks';
import {
  BrickWall,
  CircleHelp,
  DoorOpen,
  Download,
  Eraser,
  FilePlus2,
  FolderOpen,
  Hand,
  Link2,
  LoaderCircle,
  Maximize,
  Moon,
  Mountain,
  Redo2,
  Route,
  Sun,
  TriangleAlert,
  Undo2,
  X,
  ZoomIn,
  ZoomOut,
} from 'lucide-preact';
import type { LucideIcon } from 'lucide-preact';
import * as session from '../session';
import * as s from '../state';
import { activeTab, openTab, tabs } from '../tabs';
import { ExportDialog, HelpDialog, NewMapDialog, PictureDialog } from './dialogs';
import { copyLink } from './share';
import { StageView } from './stage_view';
import { dialogs, IconButton, open, pickFile, Slider } from './ui';

export function App() {
  if (s.fatal.value) return <Fatal />;
  const { Main, Panel, Footer } = activeTab.value;
  return (
    <DropTarget>
      <Header />
      <main id="main" role="tabpanel" aria-labelledby={`tab-${s.tab.value}`}>
        {Main ? (
          <Main />
        ) : (
          <div class="map-area">
            <StageView />
            <Tools />
            <Zoom />
            {Footer && s.map.value && <Footer />}
            {s.loading.value && (
              <div class="loading" role="status">
                <LoaderCircle class="spin" size={20} /> Loading {s.loading.value} …
              </div>
            )}
            {!s.map.value && !s.loading.value && s.about.value && <Empty />}
          </div>
        )}
        <aside class="panel" aria-label={`${activeTab.value.label} settings`}>
          <Panel />
        </aside>
      </main>
      <Status />
      <Toasts />
      {s.helpOpen.value && <HelpDialog />}
      {dialogs.newMap.value && <NewMapDialog />}
      {dialogs.exporting.value && <ExportDialog />}
      {dialogs.picture.value && <PictureDialog draft={dialogs.picture.value} />}
    </DropTarget>
  );
}

function Header() {
  const list = useRef<HTMLDivElement>(null);
  const onArrow = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!step) return;
    const at = tabs.findIndex((tab) => tab.id === s.tab.value);
    const next = tabs[(at + step + tabs.length) % tabs.length]!;
    openTab(next.id);
    list.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus();
  };
  return (
    <header class="bar">
      <a class="brand" href="./" aria-label="Octile viewer">
        <img src="./icon.svg" alt="" width={26} height={26} />
        <span>Octile</span>
      </a>
      <div role="tablist" aria-label="What to look at" ref={list} onKeyDown={onArrow}>
        {tabs.map(({ id, label, Icon }) => (
          <button
            key={id}
            id={`tab-${id}`}
            role="tab"
            aria-selected={s.tab.value === id}
            aria-controls="main"
            tabIndex={s.tab.value === id ? 0 : -1}
            onClick={() => openTab(id)}
          >
            <Icon size={16} />
            <span>{label}</span>
          </button>
        ))}
      </div>
      <div class="actions">
        <ScenePicker />
        <IconButton label="Open a map, scenario or picture (O)" Icon={FolderOpen} onClick={pickFile} />
        <IconButton label="New map (N)" Icon={FilePlus2} onClick={() => void (dialogs.newMap.value = true)} />
        <IconButton label="Copy a link to this state (U)" Icon={Link2} onClick={() => void copyLink()} />
        <IconButton label="Export (E)" Icon={Download} onClick={() => void (dialogs.exporting.value = true)} />
        <i class="rule" />
        <IconButton
          label={s.isDark.value ? 'Light colours (Y)' : 'Dark colours (Y)'}
          Icon={s.isDark.value ? Sun : Moon}
          onClick={() => void (s.themeChoice.value = s.isDark.value ? 'light' : 'dark')}
        />
        <IconButton label="Help and keys (?)" Icon={CircleHelp} onClick={() => void (s.helpOpen.value = true)} />
      </div>
    </header>
  );
}

function ScenePicker() {
  const map = s.map.value;
  const groups = [...new Set(s.scenes.value.map((scene) => scene.group))];
  return (
    <select
      class="scenes"
      aria-label="Scene"
      value={map?.scene ?? ''}
      onChange={(event) => void session.openScene(event.currentTarget.value)}
    >
      {!map?.scene && (
        <option value="" disabled>
          {map?.name ?? 'Scenes'}
        </option>
      )}
      {groups.map((group) => (
        <optgroup label={group} key={group}>
          {s.scenes.value
            .filter((scene) => scene.group === group)
            .map((scene) => (
              <option value={scene.id} key={scene.id}>
                {scene.title} · {scene.size}²
              </option>
            ))}
        </optgroup>
      ))}
    </select>
  );
}

const kTools: { tool: s.Tool; label: string; key: string; Icon: LucideIcon }[] = [
  { tool: 'ends', label: 'Ends', key: 'V', Icon: Route },
  { tool: 'wall', label: 'Wall', key: 'W', Icon: BrickWall },
  { tool: 'weight', label: 'Weight', key: 'T', Icon: Mountain },
  { tool: 'door', label: 'Door', key: 'D', Icon: DoorOpen },
  { tool: 'erase', label: 'Erase', key: 'X', Icon: Eraser },
  { tool: 'pan', label: 'Hand', key: 'H', Icon: Hand },
];

function Tools() {
  const tool = s.tool.value;
  const brush = tool === 'wall' || tool === 'erase' || tool === 'weight';
  return (
    <div class="tools" role="toolbar" aria-label="Tools" aria-orientation="vertical">
      {kTools.map(({ tool: value, label, key, Icon }) => (
        <IconButton
          key={value}
          label={`${label} (${key})`}
          Icon={Icon}
          size={19}
          pressed={tool === value}
          onClick={() => void (s.tool.value = value)}
        />
      ))}
      <i class="rule" />
      <IconButton label="Undo (Ctrl+Z)" Icon={Undo2} disabled={!s.canUndo.value} onClick={session.undo} />
      <IconButton label="Redo (Ctrl+Shift+Z)" Icon={Redo2} disabled={!s.canRedo.value} onClick={session.redo} />
      {brush && (
        <div class="tool-options">
          <label>
            <span>Brush</span>
            <Slider label="Brush size in cells" value={s.brush} from={1} to={15} />
          </label>
          {tool === 'weight' && (
            <label>
              <span>Weight</span>
              <Slider label="Weight to paint" value={s.weight} from={2} to={9} shown={`×${s.weight.value}`} />
            </label>
          )}
        </div>
      )}
    </div>
  );
}

function Zoom() {
  return (
    <div class="zoom" role="group" aria-label="View">
      <IconButton label="Zoom in (+)" Icon={ZoomIn} onClick={() => s.camera.zoom(1.25)} />
      <IconButton label="Zoom out (-)" Icon={ZoomOut} onClick={() => s.camera.zoom(0.8)} />
      <IconButton label="Fit the map (0)" Icon={Maximize} onClick={() => s.camera.fit()} />
    </div>
  );
}

function terrainText(terrain: number, cost: number): string {
  if (!(cost < Infinity)) return terrain === 84 ? 'trees' : terrain === 87 ? 'water' : 'wall';
  return cost === 1 ? 'free' : `weight ${cost}`;
}

function CursorText() {
  const cell = s.cursor.value;
  const map = s.map.value;
  s.edits.value;
  if (activeTab.value.Main) return <span />;
  if (!cell || !map) return <span>Drag the ends, click to put the goal, scroll to zoom</span>;
  const index = cell.y * map.width + cell.x;
  const terrain = map.terrain[index]!;
  const door = [...s.doors.value.values()].find((candidate) => candidate.cells.includes(index));
  const what = door
    ? `door, ${door.closed ? 'closed' : 'open'}`
    : terrainText(terrain, s.about.value!.costs[terrain]!);
  const distance = s.field.value?.distance[index];
  return (
    <span>
      <b>
        {cell.x}, {cell.y}
      </b>{' '}
      · {what}
      {distance !== undefined && distance < Infinity && ` · ${distance.toFixed(2)} to the goal`}
    </span>
  );
}

function ZoomText() {
  s.camera.changed.value;
  return <span>{s.camera.scale >= 10 ? s.camera.scale.toFixed(0) : s.camera.scale.toFixed(1)} px a cell</span>;
}

function Status() {
  const map = s.map.value;
  return (
    <footer class="status">
      <span class="status-cursor" aria-live={s.cursorByKeys.value ? 'polite' : 'off'}>
        <CursorText />
      </span>
      <span class="grow" />
      {map && (
        <span>
          {map.width} × {map.height}
        </span>
      )}
      <ZoomText />
      {s.about.value && <span>Octile {s.about.value.version}</span>}
    </footer>
  );
}

function Empty() {
  return (
    <div class="empty">
      <h1>No map yet</h1>
      <p>Drop a .map, a .scen or a picture here, choose a scene above, or begin with an empty field.</p>
      <div class="row">
        <button class="primary" onClick={() => void session.newMap(64, 64)}>
          New map
        </button>
        <button onClick={pickFile}>Open a file</button>
      </div>
    </div>
  );
}

function Fatal() {
  return (
    <div class="empty fatal" role="alert">
      <TriangleAlert size={36} />
      <h1>The engine did not start</h1>
      <p>{s.fatal.value}</p>
      <p>The viewer needs a browser with WebAssembly SIMD: Chrome 91, Firefox 89, Safari 16.4 or later.</p>
      <button class="primary" onClick={() => location.reload()}>
        Try again
      </button>
    </div>
  );
}

function Toasts() {
  return (
    <div class="toasts" aria-live="polite">
      {s.toasts.value.map((toast) => (
        <div key={toast.id} class={`toast ${toast.kind}`} role={toast.kind === 'error' ? 'alert' : 'status'}>
          {toast.kind === 'error' && <TriangleAlert size={17} />}
          <span>{toast.text}</span>
          <IconButton label="Dismiss" Icon={X} size={15} onClick={() => s.dismiss(toast.id)} />
        </div>
      ))}
    </div>
  );
}

function DropTarget(props: { children: preact.ComponentChildren }) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    let depth = 0;
    const files = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const enter = (event: DragEvent) => {
      if (files(event) && ++depth === 1) setOver(true);
    };
    const leave = () => {
      if (depth > 0 && --depth === 0) setOver(false);
    };
    const allow = (event: DragEvent) => {
      if (files(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      if (!files(event)) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      void open(event.dataTransfer!.files);
    };
    const stop = new AbortController();
    const { signal } = stop;
    window.addEventListener('dragenter', enter, { signal });
    window.addEventListener('dragleave', leave, { signal });
    window.addEventListener('dragover', allow, { signal });
    window.addEventListener('drop', drop, { signal });
    return () => stop.abort();
  }, []);
  return (
    <div class="page">
      {props.children}
      {over && (
        <div class="drop" aria-hidden="true">
          <FolderOpen size={36} />
          <p>Drop a map, a scenario or a picture</p>
        </div>
      )}
    </div>
  );
}
