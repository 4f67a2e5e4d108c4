// A bundle that was opened from outside, one that is installed, and what its next version would change.

import type { BundleFacts, BundleSummary } from '#app/server/bundle/bundle-summary.ts'
import type { BundleField } from '#app/server/bundle/user-config.ts'
import { makeServer, makeSnapshot } from '../builders.ts'
import { createFakeConnection, type FakeConnection } from '../fake-link.ts'

const icon =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAMAAAAoLQ9TAAAABlBMVEXz4rhaPA5J098sAAAAHElEQVR42mNgRAMMjAwMSDwGsAAyIFJgqJiBBgA3hABlEoX69wAAAABJRU5ErkJggg=='
const facts: BundleFacts = {
  name: 'notes',
  displayName: 'Notes of the house',
  icon,
  version: '1.2.0',
  description: 'Keeps notes beside the invoices, in folders that you name, and finds them again.',
  longDescription: 'Notes are plain files.\n\nNothing leaves this computer.',
  author: { name: 'Maya Holm', url: 'https://maya.example' },
  license: 'MIT',
  links: [
    { what: 'homepage', url: 'https://notes.example' },
    { what: 'repository', url: 'https://github.com/maya-holm/notes' },
  ],
  manifestVersion: '0.4',
  type: 'python',
  tools: [
    { name: 'add_note', description: 'Adds a note to a folder' },
    { name: 'find_notes', description: 'Finds notes by their words' },
  ],
  toolsGenerated: true,
  prompts: [{ name: 'summary', description: 'Sums up a week' }],
  promptsGenerated: false,
}
const field = (key: string, more: Partial<BundleField>): BundleField => ({
  ...{ key, type: 'string', title: key, description: '', required: false, multiple: false, sensitive: false, kept: false },
  ...more,
})
const fields: readonly BundleField[] = [
  field('token', { title: 'Token', description: 'From the notes’ settings', sensitive: true, required: true, kept: true }),
  field('folders', {
    type: 'directory',
    title: 'Folders',
    description: 'Where notes are looked for',
    multiple: true,
    required: true,
    value: ['/home/maya/notes', '/home/maya/Documents/House and garden'],
  }),
  field('template', { type: 'file', title: 'Template', description: 'What a new note begins with', value: '/home/maya/notes/template.md' }),
  field('limit', { type: 'number', title: 'At most', description: 'Notes in one answer', min: 1, max: 50, value: 10 }),
  field('archive', { type: 'boolean', title: 'Look in the archive too', description: 'Slower', value: true }),
]
const sha256 = 'fe333e598595000ae021bd27117db32ec69af6987f507ba7a63c90638ff633ce'

const view: BundleSummary = {
  id: 'b1',
  file: 'notes-1.2.0.mcpb',
  bytes: 1_250_000,
  files: 312,
  unpackedBytes: 4_800_000,
  facts,
  command: {
    command: 'python3',
    args: [`\${__dirname}/server/main.py`, `\${user_config.folders}`],
    env: { PYTHONPATH: `\${__dirname}/server/lib`, NOTES_TOKEN: `\${user_config.token}` },
  },
  concerns: [],
  fit: [
    { what: 'system', fits: 'yes', wants: 'darwin, linux, win32', has: 'darwin' },
    { what: 'python', fits: 'yes', wants: '>=3.8', has: '3.11.7' },
  ],
  signature: { kind: 'none' },
  fields: [...fields],
  suggestedName: 'notes',
  updates: [
    {
      server: 'notes',
      version: '1.1.0',
      order: 'newer',
      sameOrigin: true,
      changes: [
        { what: 'argument', before: `\${__dirname}/server/main.py`, after: `\${__dirname}/server/main.py \${user_config.folders}` },
        { what: 'variable', name: 'PYTHONPATH', after: `\${__dirname}/server/lib` },
        { what: 'setting', name: 'archive', after: 'boolean, “Look in the archive too”' },
        { what: 'tool', name: 'add_note', before: 'Adds a note', after: 'Adds a note to a folder' },
        { what: 'tool', name: 'delete_note', before: 'Deletes a note' },
      ],
      fields: [...fields],
    },
  ],
  download: { url: 'https://github.com/maya-holm/notes/releases/download/v1.2.0/notes.mcpb', sha256, checked: true },
}

const doubts: Partial<BundleSummary> = {
  signature: { kind: 'changed' },
  concerns: [
    { kind: 'shell', command: 'bash' },
    { kind: 'variable', name: 'NODE_OPTIONS', value: '--require /tmp/a.js', why: 'loads-code' },
    { kind: 'look-alike', name: 'notes', like: 'n0tes' },
    { kind: 'hidden-characters', field: 'description' },
  ],
  fit: [
    { what: 'system', fits: 'no', wants: 'win32', has: 'linux' },
    { what: 'python', fits: 'no', wants: '>=3.12', has: '3.11.7' },
  ],
}

const server = makeServer({ name: 'notes' })

/** `shell`: in the web shell paths are typed, in the other they are chosen. */
export const bundleScene =
  (shell: 'web' | 'electron', order: 'first' | 'doubtful' | 'update' = 'update') =>
  (theme: 'light' | 'dark'): FakeConnection =>
    createFakeConnection({
      snapshot: {
        settings: { ...makeSnapshot().settings, theme, welcomed: true },
        servers: order === 'update' ? [server] : [],
        shell: { kind: shell, os: 'linux', canChooseFolder: shell === 'electron', secrets: 'keyring' },
        outside: [{ kind: 'bundle', id: 'o1', bundle: 'b1', file: view.file }],
      },
      answers: {
        'deepLink.dismiss': () => ({}),
        'bundle.view': () =>
          order === 'update'
            ? view
            : {
                ...view,
                ...{ updates: [], fields: view.fields.map((one) => ({ ...one, kept: false })), download: undefined },
                ...(order === 'doubtful' ? doubts : {}),
              },
        'bundle.close': () => ({}),
        'bundle.installed': () => ({
          bundle: {
            ...{ server: 'notes', facts: { ...facts, version: '1.1.0' }, installedAt: 0, signature: { kind: 'none' }, fields: [...fields] },
            ...{ folder: '/home/maya/.local/share/assent/bundles/notes_1-1-0_690d4d88/files', previous: { version: '1.0.0' } },
            ...(view.download ? { download: view.download } : {}),
          },
        }),
        'folder.complete': () => ({ folders: [], more: false }),
        'server.catalogue': () => ({ tools: [], resources: [], resourceTemplates: [], prompts: [], fetchedAt: 1 }),
        'server.log': () => ({ lines: [], dropped: 0 }),
        'server.remove': () => ({ text: '{ "mcpServers": {} }' }),
      },
    })
