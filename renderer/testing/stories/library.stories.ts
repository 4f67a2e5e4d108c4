// The shelves of the mock-ups: vendors.csv among the files, and a prompt of the ledger; their servers' pages show the same.
// `libraryManyScene`: 50,000 resources.
import type { JsonObject } from '#app/json.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { type LibraryListing, type ListedResource, mostListed } from '#app/server/library-listing.ts'
import { noGrants, type ServerSandbox } from '#app/server/sandbox/sandbox-settings.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { makeConversation, makeServer, makeSnapshot } from '../builders.ts'
import { createFakeConnection, type FakeConnection } from '../fake-link.ts'

const session = {
  era: 'modern' as const,
  protocolVersion: '2026-07-28',
  foundBy: 'discover' as const,
  offers: ['resource-subscriptions' as const, 'skills' as const],
}
const sandbox: ServerSandbox = { kind: 'on', grants: { ...noGrants, read: ['/home/maya/invoices'], write: ['/home/maya/invoices'] } }
const vendorsUri = 'invoices://2026/vendors.csv'
const vendors = `vendor,country,vat,since
Aldersea Freight,NL,NL004495445B01,2022
Bright Harbour Studio,PT,PT501442600,2025
Café Lindgren,SE,none,2026
Dovetail Joinery,IE,IE6388047V,2023
Holm & Aster Print,SE,none,2024
Ibsen Legal,NO,NO984661185,2021
Kestrel Hosting,IE,none,2025
Maru Coffee,DE,DE811907980,2020
`
const named = (uri: string, name = uri.split('/').at(-1) ?? uri): ListedResource => ({ uri, name })
const files: readonly ListedResource[] = [
  named(vendorsUri),
  named('invoices://2026/book-notes.md'),
  ...Array.from({ length: 14 }, (_, index) => named(`invoices://2026/09/invoice-${String(index + 1).padStart(2, '0')}.pdf`)),
  ...Array.from({ length: 12 }, (_, index) => named(`invoices://inbox/scan-0${230 + index}.pdf`)),
  named('invoices://rules.json'),
  named('invoices://stamp.bin'),
]
const github: readonly ListedResource[] = [
  { uri: 'github://maya/books/README.md', name: 'maya/books README.md' },
  { uri: 'github://maya/books/CHANGES.md', name: 'maya/books CHANGES.md' },
]
const shelves: Readonly<Record<string, LibraryListing>> = {
  files: { templates: [], prompts: [], resources: files.length, fetchedAt: 1 },
  github: {
    templates: [
      { uriTemplate: 'github://maya/books/issues/{number}', name: 'maya/books issue {number}', description: 'One issue with its comments' },
    ],
    prompts: [
      { name: 'review-pull-request', description: 'Review the changes of a pull request', arguments: [{ name: 'number', required: true }] },
      { name: 'triage-issues', description: 'Sort open issues by what they need' },
    ],
    resources: github.length,
    fetchedAt: 1,
  },
  ledger: {
    templates: [],
    prompts: [
      {
        name: 'monthly-close',
        description: 'Walk through closing a month, with open items first',
        arguments: [{ name: 'month', required: true }, { name: 'currency' }],
      },
    ],
    resources: 4,
    fetchedAt: 1,
  },
  notes: { templates: [], prompts: [{ name: 'summarize-thread' }], resources: 0 },
}
const notes = `# Book notes

Invoices of **2026**. VAT numbers stand in [vendors.csv](invoices://2026/vendors.csv).

| month | booked | open |
|---|---:|---:|
| July | 12 | 0 |
| August | 9 | 2 |

- [x] Holm & Aster
- [ ] Kestrel Hosting
`

const skills = [
  { uri: 'skill://books/close-a-month/SKILL.md', name: 'close-a-month', description: 'Closes a month of the books', bytes: 4210 },
  { uri: 'skill://books/vat/SKILL.md', name: 'vat-return', description: 'Prepares a VAT return from the invoices', bytes: 1830 },
  { uri: 'skill://books/live/SKILL.md', name: 'live-rates', description: 'Rates of the day', problem: 'its text changes with each read' },
]

const contentOf = (uri: string): { text?: string; mimeType: string; type: string } => {
  if (uri.endsWith('.csv')) return { text: vendors, mimeType: 'text/csv', type: 'text/plain' }
  if (uri.endsWith('.md')) return { text: notes, mimeType: 'text/markdown', type: 'text/plain' }
  if (uri.endsWith('.json'))
    return {
      text: JSON.stringify({ currency: 'EUR', rounding: 2, accounts: { travel: 4660, hosting: 4806 }, closed: ['2026-07'] }),
      mimeType: 'application/json',
      type: 'text/plain',
    }
  if (uri.endsWith('.bin')) return { mimeType: 'application/octet-stream', type: 'application/octet-stream' }
  return { text: 'export const rate = 0.21\n', mimeType: 'text/x-typescript', type: 'text/plain' }
}

const path = (description: string) => ({ type: 'string', description })
/** Tools of `files`: name, title, tokens, description, arguments, claims. */
const fileTools: readonly (readonly [string, string, number, string, JsonObject, ToolEntry['annotations']])[] = [
  [
    'read_text_file',
    'Read text file',
    212,
    'Read the complete contents of a file from the file system as text. Handles various text encodings and provides detailed error messages if the file cannot be read. Use head or tail to read only the first or last lines. Only works within allowed directories.',
    {
      path: path('File to read'),
      head: { type: 'number', description: 'First N lines' },
      tail: { type: 'number', description: 'Last N lines' },
    },
    { readOnlyHint: true },
  ],
  [
    'search_files',
    'Search files',
    188,
    'Search for files that match a pattern, in all folders below the start.',
    {
      path: path('Where to begin'),
      pattern: { type: 'string' },
      excludePatterns: { type: 'array', items: { type: 'string' }, default: [] },
    },
    { readOnlyHint: true },
  ],
  ['list_directory', 'List directory', 96, 'List the files and folders at a path.', { path: path('Folder') }, { readOnlyHint: true }],
  [
    'write_file',
    'Write file',
    141,
    'Create a new file or overwrite an existing file. Use with caution: it overwrites without warning.',
    { path: path('File'), content: { type: 'string' } },
    { readOnlyHint: false, idempotentHint: true, destructiveHint: true },
  ],
  [
    'edit_file',
    'Edit file',
    264,
    'Make line-based edits to a text file. Returns a diff.',
    {
      path: path('File'),
      edits: {
        type: 'array',
        items: {
          type: 'object',
          required: ['oldText', 'newText'],
          properties: { oldText: { type: 'string' }, newText: { type: 'string' } },
        },
      },
      dryRun: { type: 'boolean', default: false },
    },
    { readOnlyHint: false, destructiveHint: true },
  ],
  [
    'move_file',
    'Move a file',
    118,
    'Move or rename a file. Fails if the destination exists.',
    { source: path('From'), destination: path('To') },
    { readOnlyHint: false },
  ],
  ['get_file_info', 'Get file info', 84, 'Size, times and permissions of a file.', { path: path('File') }, { readOnlyHint: true }],
  ['list_allowed_directories', 'List allowed directories', 61, 'Folders that this server can access.', {}, { readOnlyHint: true }],
]
/** Eight tools, one of them off. */
export const toolEntries: readonly ToolEntry[] = fileTools.map(([name, title, tokens, description, properties, annotations], index) => ({
  name,
  title,
  description,
  tokens,
  annotations,
  inputSchema: { type: 'object', properties, required: Object.keys(properties).slice(0, 1) },
  modelName: `files__${name}`,
  enabled: name !== 'edit_file',
  fingerprint: String(index).repeat(64),
}))

function scene(
  theme: 'light' | 'dark',
  servers: readonly ServerSummary[],
  lists: Readonly<Record<string, readonly ListedResource[]>>,
  offered = shelves,
): FakeConnection {
  const now = Date.now()
  const chat = makeConversation({ id: 'c1', title: 'Tidy September invoices', updatedAt: now, activity: { kind: 'idle' } })
  return createFakeConnection({
    snapshot: { servers: [...servers], conversations: [chat], settings: { ...makeSnapshot().settings, theme, welcomed: true } },
    answers: {
      'server.catalogue': ({ name }) => ({ tools: name === 'files' ? [...toolEntries] : [], fetchedAt: now }),
      'library.listing': ({ server }) => offered[server] ?? { templates: [], prompts: [], resources: 0 },
      'library.resources': ({ server, from }) => ({ resources: (lists[server] ?? []).slice(from, from + mostListed), revision: 1 }),
      'library.resource': ({ server, uri }) => ({ resource: lists[server]?.find((one) => one.uri === uri) ?? null }),
      'library.skills': ({ server }) => ({ skills: server === 'files' ? skills : [], more: 0 }),
      'library.read': ({ uri }) => {
        const { text, mimeType, type } = contentOf(uri)
        const blob = { sha256: 'a'.repeat(64), bytes: text?.length ?? 2048, mimeType: type }
        return { contents: [{ uri, mimeType, blob, ...(text === undefined ? {} : { text, tokens: 640 }) }], left: 0 }
      },
      'mention.prompt': ({ server, name, arguments: given }) => ({
        prompt: {
          server,
          name,
          arguments: given,
          messages: [
            {
              role: 'user',
              text: `Close ${given['month']} in ${given['currency'] ?? 'EUR'}.\n\nList unbooked invoices first, then accounts that don’t balance.\nAsk before you book anything.`,
            },
          ],
        },
      }),
      'server.complete': () => ({ values: ['2026-09', '2026-08'] }),
    },
  })
}

const running = (name: string, change: Partial<ServerSummary> = {}): ServerSummary =>
  makeServer({
    name,
    session,
    state: { kind: 'ready', since: Date.now() - 3 * 86_400_000, session },
    catalogueRevision: 1,
    sandbox,
    ...change,
  })

export const libraryScene = (theme: 'light' | 'dark'): FakeConnection =>
  scene(
    theme,
    [
      running('files', { subscriptions: [vendorsUri], counts: { tools: 8, enabledTools: 7, resources: files.length, prompts: 0 } }),
      running('github', { counts: { tools: 0, enabledTools: 0, resources: github.length, prompts: 2 } }),
      makeServer({ name: 'ledger', state: { kind: 'stopped', reason: 'idle' } }),
      makeServer({ name: 'notes', state: { kind: 'stopped', reason: 'never-started' } }),
    ],
    { files, github, ledger: ['chart', 'journal', 'open', 'closed'].map((name) => named(`ledger://${name}`)) },
  )

export const libraryManyScene = (theme: 'light' | 'dark'): FakeConnection => {
  const many = Array.from({ length: 50_000 }, (_, index) =>
    named(`archive://20${String(index % 26).padStart(2, '0')}/box-${index % 400}/scan-${index}.pdf`),
  )
  return scene(
    theme,
    [running('archive')],
    { archive: many },
    { archive: { templates: [], prompts: [], resources: many.length, fetchedAt: 1 } },
  )
}
