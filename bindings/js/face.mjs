// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// Reads octile.h and writes what the package takes from it, so that neither offset nor constant is
// told twice:
//
//   node face.mjs HEADER --types FILE.ts      constants, offsets (wasm32) and function types
//   node face.mjs HEADER --exports FILE       the linker's list of exports
//
// Offsets are those of the wasm32 C rules: each value on a multiple of its own size. The loader
// compares every sizeof with that of the library.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';

// There are no files in a browser, and no threads: bytes are given and taken instead, and an index
// is built by one call. A function that takes a path would have the module ask for a file system.
const threaded = new Set(['octile_engine_start_build', 'octile_engine_building', 'octile_engine_adopt_finished',
  'octile_engine_stop_build']);
const leftOut = (name, parameters) => threaded.has(name) || /\bchar\s*\*\s*path\b/.test(parameters);

const sizes = {
  int8_t: 1, uint8_t: 1, char: 1, int16_t: 2, uint16_t: 2, int32_t: 4, uint32_t: 4, size_t: 4,
  pointer: 4, octile_progress: 4, int64_t: 8, uint64_t: 8, double: 8,
};

function parseHeader(text) {
  text = text.replace(/\/\*[^]*?\*\//g, ' ');
  const constants = {};
  for (const [, body] of text.matchAll(/enum \{([^}]*)\}/g)) {
    let next = 0;
    for (const item of body.split(',').map((s) => s.trim()).filter(Boolean)) {
      const [name, value] = item.split('=').map((s) => s.trim());
      if (value !== undefined) next = Number(value);
      constants[name] = next++;
    }
  }
  for (const [, name, value] of text.matchAll(/#define (OCTILE_(?:ABI_VERSION|DIRECTION_\w+)) (\d+)/g)) {
    constants[name] = Number(value);
  }

  const structs = {};
  const known = Object.fromEntries(Object.entries(sizes).map(([k, v]) => [k, { size: v, align: v }]));
  for (const [, name, body] of text.matchAll(/typedef struct (\w+) \{([^]*?)\} \w+;/g)) {
    const fields = {};
    let at = 0;
    let align = 1;
    for (const declaration of body.split(';').map((s) => s.trim()).filter(Boolean)) {
      const found = /^(?:const )?(\w+)\s*(\*?)\s*(\w+)(?:\[(\d+)\])?$/.exec(declaration.replace(/\s+/g, ' '));
      const type = found && known[found[2] ? 'pointer' : found[1]];
      if (!type) throw new Error(`${name}: cannot read '${declaration}'`);
      at = Math.ceil(at / type.align) * type.align;
      fields[found[3]] = at;
      at += type.size * Number(found[4] ?? 1);
      align = Math.max(align, type.align);
    }
    const size = Math.ceil(at / align) * align;
    structs[name] = { size, fields };
    known[name] = { size, align };
  }

  const functions = {};
  for (const [, result, name, list] of text.matchAll(/OCTILE_C_API ([^;]*?)\b(octile_\w+)\(([^;]*)\);/g)) {
    if (leftOut(name, list)) continue;
    const js = (type) => (/^(int|uint)64_t$/.test(type) || (structs[type] && structs[type].size === 8) ? 'bigint' : 'number');
    const parameters = list.trim() === 'void' ? [] : list.split(',').map((one) => {
      const words = one.replace(/\s+/g, ' ').trim();
      const [, type, star, id] = /^(?:const )?(\w+)\s?(\*?)\s?(\w+)$/.exec(words);
      return { id, type: star ? 'number' : js(type) };
    });
    const answer = result.replace(/\s+/g, ' ').trim();
    functions[name] = { parameters, result: answer.endsWith('*') ? 'number' : js(answer) };
  }
  return { constants, structs, functions };
}

// octile_field_query -> FieldQuery
const typeName = (name) => name.replace(/^octile/, '').replace(/_(\w)/g, (_, c) => c.toUpperCase());

function types({ constants, structs, functions }) {
  const lines = ['// Written by face.mjs from octile.h.', '', 'export const enum C {'];
  for (const [name, value] of Object.entries(constants)) lines.push(`  ${name.replace('OCTILE_', '')} = ${value},`);
  lines.push('}', '');
  for (const [name, { size, fields }] of Object.entries(structs)) {
    lines.push(`export const enum ${typeName(name)}At {`);
    for (const [field, at] of Object.entries(fields)) lines.push(`  ${field} = ${at},`);
    lines.push(`  sizeof = ${size},`, '}', '');
  }
  lines.push('export const structSizes: Record<string, number> = {');
  for (const [name, { size, fields }] of Object.entries(structs)) {
    if (Object.keys(fields).length > 1) lines.push(`  ${name}: ${size},`);
  }
  lines.push('};', '', 'export interface Face {', '  memory: WebAssembly.Memory;', '  _initialize(): void;',
    '  malloc(size: number): number;', '  free(pointer: number): void;', '  octile_js_progress_pointer(): number;',
    '  octile_js_find(call: number, startX: number, startY: number, goalX: number, goalY: number): number;',
    '  octile_js_ask(call: number, query: number): number;');
  for (const [name, { parameters, result }] of Object.entries(functions)) {
    lines.push(`  ${name}(${parameters.map(({ id, type }) => `${id}: ${type}`).join(', ')}): ${result};`);
  }
  lines.push('}', '');
  return lines.join('\n');
}

const [header, kind, out] = process.argv.slice(2);
const face = parseHeader(readFileSync(header, 'utf8'));
const text = kind === '--types'
  ? types(face)
  : `${['malloc', 'free', 'octile_js_progress_pointer', 'octile_js_find', 'octile_js_ask', ...Object.keys(face.functions)].map((name) => `--export=${name}`).join('\n')}\n`;
writeFileSync(out, text);
