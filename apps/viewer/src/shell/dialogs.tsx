// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
import { useEffect, useRef, useState } from 'preact/hooks';
import { packed } from '../render/palette';
import * as session from '../session';
import type { PictureDraft } from '../session';
import * as s from '../state';
import { activeTab } from '../tabs';
import { exportGif, exportMap, exportPng, exportSvg } from './exports';
import { globalKeys, stageKeys } from './keys';
import { Dialog, dialogs, Field } from './ui';

const kNames: Record<string, string> = {
  arrowleft: '←',
  arrowright: '→',
  arrowup: '↑',
  arrowdown: '↓',
  enter: 'Enter',
  ' ': 'Space',
  mod: 'Ctrl',
  shift: 'Shift',
  alt: 'Alt',
};

function Keys({ keys }: { keys: string[] }) {
  return (
    <dt>
      {keys.map((key) => (
        <kbd key={key}>
          {key
            .split(/\+(?=.)/)
            .map((part) => kNames[part] ?? part.toUpperCase())
            .join(' ')}
        </kbd>
      ))}
    </dt>
  );
}

export function HelpDialog() {
  const all = [...globalKeys, ...(activeTab.value.keys ?? []), ...stageKeys];
  const groups = [...new Set(all.map((binding) => binding.group))];
  return (
    <Dialog title="Help" wide onClose={() => void (s.helpOpen.value = false)}>
      <p class="lead">
        Drag the green start and the red goal: the path follows. Click puts the goal, Shift-click the start. Scroll or
        pinch to zoom, drag the map to move it. Drop a <code>.map</code>, a <code>.scen</code> or a picture anywhere.
      </p>
      <div class="help-groups">
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {all
                .filter((binding) => binding.group === group)
                .map((binding) => (
                  <div key={binding.does}>
                    <Keys keys={binding.keys} />
                    <dd>{binding.does}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

export function NewMapDialog() {
  const [width, setWidth] = useState(64);
  const [height, setHeight] = useState(64);
  const close = () => void (dialogs.newMap.value = false);
  const side = (value: number) => Math.min(Math.max(Math.round(value) || 1, 1), 4096);
  return (
    <Dialog title="New map" onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          close();
          void session.newMap(side(width), side(height));
        }}
      >
        <div class="row">
          <Field label="Width">
            <input
              type="number"
              min={1}
              max={4096}
              required
              value={width}
              onInput={(event) => setWidth(event.currentTarget.valueAsNumber)}
            />
          </Field>
          <Field label="Height">
            <input
              type="number"
              min={1}
              max={4096}
              required
              value={height}
              onInput={(event) => setHeight(event.currentTarget.valueAsNumber)}
            />
          </Field>
        </div>
        <div class="buttons">
          <button type="submit" class="primary">
            Make it
          </button>
        </div>
      </form>
    </Dialog>
  );
}

export function PictureDialog({ draft }: { draft: PictureDraft }) {
  const [threshold, setThreshold] = useState(128);
  const canvas = useRef<HTMLCanvasElement>(null);
  const close = () => void (dialogs.picture.value = null);
  useEffect(() => {
    const context = canvas.current!.getContext('2d')!;
    const image = context.createImageData(draft.width, draft.height);
    const pixels = new Uint32Array(image.data.buffer);
    const [floor, wall] = [packed(s.palette.value.floor), packed(s.palette.value.wall)];
    for (let i = 0; i < pixels.length; ++i) pixels[i] = draft.brightness[i]! < threshold ? wall : floor;
    context.putImageData(image, 0, 0);
  }, [draft, threshold]);
  return (
    <Dialog title={`Picture: ${draft.name}`} onClose={close}>
      <p>
        {draft.width} × {draft.height} pixels, a cell each. What is darker than the threshold becomes wall.
      </p>
      <canvas ref={canvas} class="preview" width={draft.width} height={draft.height} aria-label="Preview" />
      <Field label="Threshold">
        <input
          type="range"
          min={1}
          max={255}
          value={threshold}
          onInput={(event) => setThreshold(event.currentTarget.valueAsNumber)}
        />
        <output>{threshold}</output>
      </Field>
      <div class="buttons">
        <button
          class="primary"
          onClick={() => {
            close();
            const terrain = session.pictureTerrain(draft, threshold);
            void session.assignMap(draft.name, '', draft.width, draft.height, terrain);
          }}
        >
          Use this map
        </button>
      </div>
    </Dialog>
  );
}

export function ExportDialog() {
  const [busy, setBusy] = useState('');
  const close = () => void (dialogs.exporting.value = false);
  const run = (what: string, work: () => Promise<void>) => async () => {
    setBusy(what);
    try {
      await work();
      close();
    } catch (error) {
      s.say('error', error instanceof Error ? error.message : String(error));
    } finally {
      setBusy('');
    }
  };
  const traced = s.playLength.value > 0;
  const choices = [
    { what: 'PNG', about: 'The whole map as it is shown', work: exportPng, enabled: true },
    { what: 'SVG', about: 'Map and paths as shapes, for print', work: exportSvg, enabled: true },
    {
      what: 'GIF',
      about: traced ? 'The search as an animation' : 'Needs a search to be shown',
      work: exportGif,
      enabled: traced,
    },
    { what: '.map', about: 'A Moving AI map, closed doors as walls', work: exportMap, enabled: true },
  ];
  return (
    <Dialog title="Export" onClose={close}>
      <div class="choices">
        {choices.map(({ what, about, work, enabled }) => (
          <button key={what} disabled={!enabled || busy !== '' || !s.map.value} onClick={run(what, work)}>
            <b>{busy === what ? `${what} …` : what}</b>
            <span>{about}</span>
          </button>
        ))}
      </div>
    </Dialog>
  );
}
