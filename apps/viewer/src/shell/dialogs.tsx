// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
import { useSignal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../common';
import { packed } from '../render/palette';
import * as session from '../session';
import type { PictureDraft } from '../session';
import * as s from '../state';
import { activeTab, drawnTab } from '../tabs';
import { exportGif, exportMap, exportPng, exportSvg } from './exports';
import { globalKeys, stageKeys } from './keys';
import { Dialog, dialogs, Field, Slider } from './ui';

const kNames: Record<string, string> = {
  arrowleft: '←',
  arrowright: '→',
  arrowup: '↑',
  arrowdown: '↓',
  enter: 'Enter',
  escape: 'Esc',
  pageup: 'Page Up',
  pagedown: 'Page Down',
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
        Drag the green start and the red goal: the path follows. A click puts the goal; Shift-click, or a finger that rests,
        the start. Scroll or pinch to zoom, drag the map to move it. Drop a <code>.map</code>, a <code>.scen</code> or a
        picture anywhere.
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
  const close = () => void (dialogs.newMap.value = false);
  return (
    <Dialog title="New map" onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const sides = new FormData(event.currentTarget);
          const side = (name: string) => Math.min(Math.max(Math.round(Number(sides.get(name))) || 1, 1), 4096);
          close();
          void session.newMap(side('Width'), side('Height'));
        }}
      >
        <div class="row">
          {['Width', 'Height'].map((name) => (
            <Field label={name} key={name}>
              <input type="number" name={name} min={1} max={4096} required defaultValue="64" />
            </Field>
          ))}
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
  const threshold = useSignal(128);
  const canvas = useRef<HTMLCanvasElement>(null);
  const close = () => void (dialogs.picture.value = null);
  useEffect(() => {
    const context = canvas.current!.getContext('2d')!;
    const image = context.createImageData(draft.width, draft.height);
    const pixels = new Uint32Array(image.data.buffer);
    const [floor, wall] = [packed(s.palette.value.floor), packed(s.palette.value.wall)];
    for (let i = 0; i < pixels.length; ++i) pixels[i] = draft.brightness[i]! < threshold.value ? wall : floor;
    context.putImageData(image, 0, 0);
  }, [draft, threshold.value]);
  return (
    <Dialog title={`Picture: ${draft.name}`} onClose={close}>
      <p>
        {draft.width} × {draft.height} pixels, a cell each. What is darker than the threshold becomes wall.
      </p>
      <canvas ref={canvas} class="preview" width={draft.width} height={draft.height} aria-label="Preview" />
      <Field label="Threshold">
        <Slider label="Threshold" value={threshold} from={1} to={255} />
      </Field>
      <div class="buttons">
        <button
          class="primary"
          onClick={() => {
            close();
            const terrain = session.pictureTerrain(draft, threshold.value);
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
      s.say('error', messageOf(error));
    } finally {
      setBusy('');
    }
  };
  const film = drawnTab().film?.about() ?? '';
  const choices = [
    { what: 'PNG', about: 'The whole map as it is shown', work: exportPng, enabled: true },
    { what: 'SVG', about: 'Map, paths and units as shapes, for print', work: exportSvg, enabled: true },
    {
      what: 'GIF',
      about: film || 'Needs something that moves: a search to be shown, or units',
      work: exportGif,
      enabled: film !== '',
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
