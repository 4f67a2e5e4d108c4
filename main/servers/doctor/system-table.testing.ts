// Failures of Windows and macOS, as people recorded them in the issues that are named, and what the doctor must say of them.
import type { DiagnosisCode } from '#app/server/doctor.ts'
import type { DiagnosisCase } from './diagnosis-input.ts'
import { away, ended, macFacts, made, stdio, windowsFacts, wrote } from './doctor.testing.ts'

/** Cases: title, start, expected code and parts of its texts. */
export const systemTable: readonly (readonly [string, DiagnosisCase, DiagnosisCode, string[]])[] = [
  [
    'a script of PowerShell',
    made('server.command-not-found', { command: 'C:\\srv\\run.ps1', there: 'file', file: 'C:\\srv\\run.ps1' }, { facts: windowsFacts }),
    'not-executable',
    ['run.ps1', 'interpreter'],
  ],
  [
    'a file that Windows does not let run',
    made('server.spawn-failed', { reason: 'EACCES', command: 'x.exe' }, { facts: windowsFacts }),
    'not-executable',
    ['interpreter'],
  ],
  [
    // typegoose/mongodb-memory-server#674, sindresorhus/get-windows#139
    'a program for Intel on a Mac without Rosetta',
    made('server.spawn-failed', { reason: 'Unknown system error -86' }, { facts: macFacts }),
    'wrong-architecture',
    ['macOS (x64)', 'install-rosetta', 'macOS (arm64)'],
  ],
  [
    // cryptoadvance/specter-desktop#2447
    'a program for ARM on a Mac of Intel',
    made('server.spawn-failed', { reason: 'Unknown system error -86' }, { facts: { ...macFacts, arch: 'x64' } }),
    'wrong-architecture',
    ['macOS (arm64)', 'macOS (x64)'],
  ],
  [
    // cline/cline#14215, evanw/esbuild#4504: exit 137, nothing on stdout and stderr
    'macOS does not know its signature',
    { ...ended(null, 'SIGKILL'), facts: macFacts },
    'killed-by-signal',
    ['signature', "codesign --force --sign - '/usr/bin/uvx'"],
  ],
  [
    'macOS killed it after it had written',
    { ...wrote('ready', stdio(), { code: null, signal: 'SIGKILL' }), facts: macFacts },
    'killed-by-signal',
    ['memory'],
  ],
  // yy0931/sqlite3-editor#27, extrabacon/python-shell#69
  ['a DLL is missing', { ...ended(3221225781), facts: windowsFacts }, 'crashed-at-once', ['0xC0000135', 'VCRedist']],
  ['a DLL does not begin', { ...ended(3221225794), facts: windowsFacts }, 'crashed-at-once', ['0xC0000142', 'VCRedist']],
  // nodejs/help#3468
  ['it read memory that is not its own', { ...ended(3221225477), facts: windowsFacts }, 'killed-by-signal', ['0xC0000005', 'author']],
  ['a batch file finds no program', { ...ended(9009), facts: windowsFacts }, 'missing-interpreter', []],
  [
    // nodejs/undici#4069, niavasha/plex-mcp-server#121, nicobailon/pi-mcp-adapter#543
    'macOS lets nobody to the local network',
    { ...away('EHOSTUNREACH', { origin: 'http://192.168.20.12:11434' }), facts: macFacts },
    'offline',
    ['192.168.20.12:11434', 'Local Network'],
  ],
  [
    'a host of the internet that a Mac has no way to',
    { ...away('EHOSTUNREACH', { origin: 'https://mcp.linear.app' }), facts: macFacts },
    'offline',
    ['Check the network'],
  ],
]
