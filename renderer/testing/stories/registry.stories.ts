// A registry with one server of each kind, and some hundred others.

import { HostError } from '#app/errors.ts'
import type { JsonObject } from '#app/json.ts'
import type { RegistryResultPage } from '#app/server/registry/registry-entry.ts'
import { readRegistryEntry } from '#app/server/registry/registry-entry.ts'
import { makeSnapshot } from '../builders.ts'
import { createFakeConnection, type FakeConnection } from '../fake-link.ts'

const wire = (server: JsonObject, meta: JsonObject = {}): JsonObject => ({
  server: { description: '', version: '1.0.0', ...server },
  _meta: {
    'io.modelcontextprotocol.registry/official': { status: 'active', isLatest: true, publishedAt: '2026-09-14T08:00:00Z', ...meta },
  },
})
const stdio = { transport: { type: 'stdio' } }

export const bundleUrl = 'https://github.com/maya-holm/ledger-files/releases/download/v2.4.1/ledger.mcpb'
export const bundleSha256 = 'fe333e598595000ae021bd27117db32ec69af6987f507ba7a63c90638ff633ce'

export const registryServers: readonly JsonObject[] = [
  wire({
    name: 'io.github.maya-holm/ledger-files',
    title: 'Ledger files',
    description: 'Reads the folders that you name, and finds invoices in them',
    version: '2.4.1',
    repository: { url: 'https://github.com/maya-holm/ledger-files', source: 'github', subfolder: 'server' },
    websiteUrl: 'https://ledger-files.example/docs',
    packages: [
      {
        ...{ registryType: 'npm', identifier: '@holm/ledger-files', version: '2.4.1', ...stdio },
        packageArguments: [
          { type: 'named', name: '--mode', description: 'What it may do', default: 'read', choices: ['read', 'write'], isRequired: true },
          {
            type: 'positional',
            valueHint: 'folder',
            description: 'A folder that it may read',
            format: 'filepath',
            isRequired: true,
            isRepeated: true,
          },
        ],
        environmentVariables: [
          { name: 'LEDGER_TOKEN', description: 'From your account at ledger-files.example', isRequired: true, isSecret: true },
          { name: 'LEDGER_PROXY_KEY', description: 'Only behind a proxy', isSecret: true },
          { name: 'LOG_LEVEL', description: 'How much it writes down', default: 'info' },
        ],
      },
      {
        ...{ registryType: 'oci', identifier: 'ghcr.io/maya-holm/ledger-files:2.4.1', ...stdio },
        runtimeArguments: [
          { type: 'named', name: '--privileged' },
          {
            type: 'named',
            name: '-v',
            value: '{folder}:/data',
            variables: { folder: { description: 'A folder that it may read', isRequired: true, default: '/' } },
          },
        ],
      },
      { registryType: 'mcpb', identifier: bundleUrl, fileSha256: bundleSha256, ...stdio },
    ],
    remotes: [
      {
        type: 'streamable-http',
        url: 'https://{tenant}.ledger-files.example/mcp',
        variables: { tenant: { description: 'Your company', isRequired: true } },
      },
    ],
  }),
  wire(
    {
      name: 'io.github.rnaya-holm/ledger-files',
      description: 'Reads the folders that you name\u200b, and more',
      packages: [{ registryType: 'npm', identifier: 'ledger-fi1es', version: '9.9.9', ...stdio }],
    },
    { publishedAt: '2026-11-20T08:00:00Z' },
  ),
  wire({
    name: 'com.acme/notes',
    description: 'Notes of the team',
    packages: [{ registryType: 'mcpb', identifier: 'https://downloads.acme.example/notes.mcpb', ...stdio }],
  }),
  wire(
    {
      name: 'com.acme/calendar',
      title: 'Acme Calendar',
      description: 'Meetings and rooms',
      remotes: [{ type: 'sse', url: 'https://mcp.acme.example/sse' }],
    },
    { status: 'deprecated', statusMessage: 'Use com.acme/calendar-2 from now on.' },
  ),
  ...Array.from({ length: 300 }, (_, at) =>
    wire({
      name: `io.github.people/tool-${at + 1}`,
      description: `Does thing number ${at + 1}`,
      packages: [{ registryType: 'pypi', identifier: `tool-${at + 1}`, version: '0.3.0', ...stdio }],
    }),
  ),
]

/** As the host answers: by words, 50 a page. */
export function registryPageOf(servers: readonly JsonObject[], text: string, cursor = '0'): RegistryResultPage {
  const all = servers.flatMap((one) => readRegistryEntry(one) ?? [])
  const fit = all.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(text.toLowerCase()))
  const from = Number(cursor)
  const next = from + 50 < fit.length ? { next: String(from + 50) } : {}
  return {
    address: 'https://registry.modelcontextprotocol.io',
    entries: fit.slice(from, from + 50),
    unread: 0,
    at: Date.now(),
    source: 'registry',
    ...next,
  }
}

function scene(find: (page: RegistryResultPage) => RegistryResultPage, servers = registryServers) {
  return (theme: 'light' | 'dark'): FakeConnection =>
    createFakeConnection({
      snapshot: { settings: { ...makeSnapshot().settings, theme, welcomed: true } },
      answers: {
        'registry.find': ({ text, cursor }) => find(registryPageOf(servers, text, cursor)),
        'registry.server': ({ name }) => find(registryPageOf(servers, name)),
        'registry.cancel': () => ({}),
      },
    })
}
const unreachable = {
  code: 'registry.unreachable',
  message: 'The registry at registry.modelcontextprotocol.io could not be reached: its name is not known.',
} as const
const yesterday = (): number => Date.now() - 86_400_000

export const registryScenes = {
  registry: scene((page) => page),
  'registry-empty': scene((page) => page, []),
  'registry-offline': scene((page) => ({ ...page, at: yesterday(), source: 'kept', error: unreachable, unread: 3 })),
  'registry-error': scene(() => {
    throw new HostError(unreachable.code, unreachable.message)
  }),
}
