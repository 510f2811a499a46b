// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// Runs a file of tests, and closes with one line: "N passed, N failed, N skipped".
import { spawnSync } from 'node:child_process';
import process from 'node:process';

const [file] = process.argv.slice(2);
// Worker threads end with their test file; a hang is a failure.
const ran = spawnSync(process.execPath, ['--expose-gc', '--no-warnings', '--test-reporter=tap', file], {
  encoding: 'utf8', timeout: 300000, maxBuffer: 1 << 28,
});
const text = ran.stdout + ran.stderr;
const sum = (word) => Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
const skipped = sum('skipped');
let failed = sum('fail') + sum('cancelled');
if (ran.status !== 0 && failed === 0) failed = 1;
if (failed) process.stdout.write(text);
else process.stdout.write(text.split('\n').filter((line) => /^(not )?ok |^ *# .*, all equal$/.test(line)).join('\n') + '\n');
console.log(`${sum('pass')} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed ? 1 : 0;
