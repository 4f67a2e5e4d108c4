// One build, four targets: the page (renderer), the frame that draws its diagrams, the host (main: the Electron app, the
// command line with the web shell, the demo server), and the preload, which a sandbox wants as one CommonJS file.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { parseSync } from 'oxc-parser'
import { defineConfig } from 'vite'
import { fileModule, moduleIdsBelow } from './scripts/module-address.ts'
import { scaleStyles } from './scripts/scale-styles.ts'
import { writeThirdParties } from './scripts/third-party.ts'

const here = (path: string): string => resolve(import.meta.dirname, path)
/** For what is compared with an id of Vite's: on Windows a path has other slashes. */
const idHere = moduleIdsBelow(import.meta.dirname)
/** `scripts/build-if-needed.ts` builds elsewhere, and puts what is whole in its place. */
const out = process.env['ASSENT_OUT_DIR'] ?? here('dist')
const clientMetadata = process.env['ASSENT_CLIENT_METADATA_URL']
const external = [
  ...builtinModules,
  ...builtinModules.map((name) => `node:${name}`),
  /^node:/,
  'electron',
  'bufferutil',
  'utf-8-validate',
  '@napi-rs/keyring',
]
const node = { conditions: ['node', 'import', 'module', 'default'], external: ['electron'], noExternal: true as const }

interface ChunkingContext {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/** All that the modules of these ids import, and what that imports, but not later. */
function startsWith(ids: readonly string[], context: ChunkingContext): ReadonlySet<string> {
  const start = new Set(ids)
  for (const known of start) for (const imported of context.getModuleInfo(known)?.importedIds ?? []) start.add(imported)
  return start
}

/** Modules of schemas that the entry's modules import and only later pages ask, with zod: they come with those pages. `check-chunks.ts` finds what is missing here. */
const laterSchemas = [
  'app/lazy-zod.ts',
  'app/json-schemas.ts',
  'app/consent/rules/rule.ts',
  'app/consent/rules/sampling-budget.ts',
  'app/consent/taint/private-flow.ts',
  'app/server/auth-status.ts',
]

/** `start` for all that the page's entry imports. */
export function startChunk(idOf = idHere) {
  let start: ReadonlySet<string> | undefined
  const later = new Set(laterSchemas.map(idOf))
  return (id: string, context: ChunkingContext): string | null => {
    start ??= startsWith([idOf('renderer/main.tsx')], context)
    if (later.has(id) || id.includes('/node_modules/zod/')) return 'schemas'
    return start.has(id) ? 'start' : null
  }
}

/**
 * The host in a few files: each one more costs every run of the command line a good half millisecond. What the workers need
 * of it is apart, for they are to start with no more than that; so is what the web shell has to know before there is a link.
 */
export function hostChunks(idOf = idHere) {
  const cli = 'main/shell/cli'
  const parts: readonly (readonly [name: string, files: readonly string[]])[] = [
    ['base', ['main/store/backup/backup-worker.ts', 'main/chat/transfer/export-reader-worker.ts', 'main/store/search/search-worker.ts']],
    ['command-line', [`${cli}/run-command-line.ts`]],
    ['profile', ['main/store/open-store.ts']],
    ['host', ['main/host.ts', `${cli}/with-host.ts`]],
    ['web-shell', [`${cli}/commands/serve.ts`]],
  ]
  let sets: readonly (readonly [name: string, files: ReadonlySet<string>])[] | undefined
  return (id: string, context: ChunkingContext): string | null => {
    sets ??= parts.map(([name, files]) => [name, startsWith(files.map(idOf), context)])
    const isOurs = ['app', 'main'].some((folder) => id.startsWith(idOf(folder)))
    if (!isOurs || id === idOf('app/lazy-zod.ts')) return null
    const [first, ...others] = sets.filter(([, files]) => files.has(id)).map(([name]) => name)
    // What the workers alone need, the host does not load; what the web shell needs too comes before the host.
    if (first === 'base' && others.length === 0) return null
    return first === 'host' && others.length > 0 ? 'profile' : (first ?? null)
  }
}

/** In place of zod, for us and for the SDK: schemas are built when they are first asked something. */
export function lazyZod(idOf = idHere) {
  const lazy = idOf('app/lazy-zod.ts')
  return {
    name: 'lazy-zod',
    enforce: 'pre' as const,
    resolveId: (source: string, importer?: string) =>
      /^zod(\/v4)?$/.test(source) && importer !== lazy ? { id: lazy, moduleSideEffects: false } : undefined,
  }
}

/**
 * Marks the schemas of `app` as without effect, for the page: those that it asks nothing are dropped. A schema is a value at the top of a
 * module that imports zod.
 */
function schemasAsNeeded() {
  return {
    name: 'schemas-as-needed',
    enforce: 'post' as const,
    applyToEnvironment: ({ name }: { readonly name: string }) => name === 'client',
    transform(code: string, id: string) {
      if (!id.startsWith(idHere('app/')) || !/ from ["']zod["']/.test(code)) return undefined
      const values = parseSync(id, code, { lang: 'js' }).program.body.flatMap((statement) => {
        const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
        return declared?.type === 'VariableDeclaration' ? declared.declarations.flatMap(({ init }) => init ?? []) : []
      })
      return values
        .filter(({ type }) => type === 'CallExpression' || type === 'ObjectExpression' || type === 'ArrayExpression')
        .toReversed()
        .reduce(
          (text, { start, end }) => `${text.slice(0, start)}/* @__PURE__ */ (() => (${text.slice(start, end)}))()${text.slice(end)}`,
          code,
        )
    },
  }
}

/**
 * What Node would load with the host though hardly a run uses it. An import of one of Node's own modules reads all of its
 * members, and so loads what stands behind them (streams, WebCrypto, TLS); asked for by name it does not. The client of `ws`
 * wants TLS as it loads: the host uses its server alone.
 */
function nodeAsNeeded() {
  const named = /^import \{ ([^}]+) \} from "(?:node:)?([a-z_/]+)";$/gm
  return {
    name: 'node-as-needed',
    applyToEnvironment: ({ name }: { readonly name: string }) => name === 'main',
    transform: (code: string, id: string) =>
      id.endsWith('/ws/lib/websocket.js') ? code.replace(/require\('(?:https|tls)'\)/g, '{}') : undefined,
    renderChunk: (code: string) =>
      code.replace(named, (line, names: string, id: string) =>
        builtinModules.includes(id) ? `const { ${names.replaceAll(' as ', ': ')} } = process.getBuiltinModule("node:${id}");` : line,
      ),
  }
}

/** Node's own module in place of graceful-fs, which replaces parts of that module for the whole process and has a licence that is none of ours. */
function plainFileSystem() {
  return {
    name: 'plain-file-system',
    enforce: 'pre' as const,
    resolveId: (source: string) => (source === 'graceful-fs' ? { id: 'node:fs', external: true } : undefined),
  }
}

/** Parses the data of confusable characters, which no start needs, with the first text that is not ASCII. */
function confusablesAsNeeded() {
  return {
    name: 'confusables-as-needed',
    transform(code: string, id: string) {
      if (!id.endsWith('/unhomoglyph/index.js')) return undefined
      const data = JSON.stringify(JSON.parse(readFileSync(id.replace('index.js', 'data.json'), 'utf8')))
      const table = `'use strict'; let made; module.exports = (text) => (made ??= make())(text)\nfunction make() { const module = {}`
      return `${table}\n${code.replace(`require('./data.json')`, () => `JSON.parse(${JSON.stringify(data)})`)}\nreturn module.exports }`
    },
  }
}

/** ASCII alone, since V8 keeps the source of what it runs, and with two bytes a character where a single one is not of Latin-1. */
function asciiHost() {
  return {
    name: 'ascii-host',
    applyToEnvironment: ({ name }: { readonly name: string }) => name === 'main',
    generateBundle(_options: unknown, bundle: Readonly<Record<string, { code?: string }>>) {
      const escaped = (found: string): string => {
        const unit = found.at(-1) ?? ''
        return unit <= '\x7f' ? found : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
      }
      // With the backslash before it, which would else be taken for that of the escape.
      for (const chunk of Object.values(bundle)) chunk.code &&= chunk.code.replaceAll(/\\[\s\S]|[^\0-\x7f]/g, escaped)
    },
  }
}

/**
 * Mermaid without ELK, whose licence (EPL) is none of ours and which is a third of the frame. A diagram that asks for it is laid out by
 * dagre, as in Mermaid's own small build.
 */
function mermaidWithoutElk() {
  const loaders = '...elkLayoutLoaders()'
  let found = false
  return {
    name: 'mermaid-without-elk',
    applyToEnvironment: ({ name }: { readonly name: string }) => name === 'diagram',
    transform(code: string, id: string) {
      if (!id.includes('/mermaid/dist/') || !code.includes(loaders)) return undefined
      found = true
      return code.replace(loaders, '')
    },
    buildEnd(error?: Error) {
      if (!error && !found) throw new Error('Mermaid no longer loads ELK as vite.config.ts expects.')
    },
  }
}

/** In the preload the names of the contract's requests stand for the contract: its schemas, and zod, are the host's. */
function contractByName() {
  const contract = idHere('app/contract/requests.ts')
  return {
    name: 'contract-by-name',
    applyToEnvironment: ({ name }: { readonly name: string }) => name === 'preload',
    async load(id: string) {
      if (id !== contract) return
      const { requestNames } = (await import(fileModule(id))) as { readonly requestNames: readonly string[] }
      return `export const requestNames = ${JSON.stringify(requestNames)}`
    },
  }
}

/** Writes the integrity of the page's scripts and sheets beside them, by path: the web shell names it and hashes nothing at its start. */
function pageDigests() {
  return {
    name: 'page-digests',
    applyToEnvironment: ({ name }: { readonly name: string }) => name === 'client',
    writeBundle({ dir = '' }: { readonly dir?: string }, bundle: Readonly<Record<string, unknown>>) {
      const digest = (name: string) =>
        `sha256-${createHash('sha256')
          .update(readFileSync(resolve(dir, name)))
          .digest('base64')}`
      const names = Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name))
      writeFileSync(resolve(dir, 'digests.json'), JSON.stringify(Object.fromEntries(names.map((name) => [`/${name}`, digest(name)]))))
    },
  }
}

/** Nothing is painted before the kept looks are on the page; there is nothing to show before its script runs. */
const paintsLate = {
  name: 'paints-late',
  transformIndexHtml: {
    order: 'post' as const,
    handler: (html: string) => html.replaceAll('<script type="module"', '<script blocking="render" type="module"'),
  },
}

/** Collects the bundled modules of all targets, and writes whose they are once each is built. */
const bundled = new Set<string>()
function collectModules() {
  return {
    name: 'collect-modules',
    generateBundle(
      _options: unknown,
      bundle: Readonly<Record<string, { moduleIds?: readonly string[]; originalFileNames?: readonly string[] }>>,
    ) {
      for (const { moduleIds = [], originalFileNames = [] } of Object.values(bundle))
        for (const id of [...moduleIds, ...originalFileNames.map((name) => resolve(here('renderer'), name))]) bundled.add(id)
    },
  }
}

export default defineConfig({
  root: here('renderer'),
  // Relative, since the web shell puts a run's files below a path of its own.
  base: './',
  publicDir: false,
  css: { postcss: { plugins: [scaleStyles] } },
  plugins: [
    react(),
    lazyZod(),
    schemasAsNeeded(),
    nodeAsNeeded(),
    plainFileSystem(),
    confusablesAsNeeded(),
    mermaidWithoutElk(),
    contractByName(),
    asciiHost(),
    paintsLate,
    pageDigests(),
    collectModules(),
  ],
  // The one that parses PDFs; the page starts it as a module.
  worker: { format: 'es' },
  builder: {
    // One list of bundled modules for all targets.
    sharedConfigBuild: true,
    async buildApp(builder) {
      const order = ['client', 'diagram', 'main', 'preload']
      await Promise.all(
        order
          .map((name) => builder.environments[name])
          .filter((environment) => environment !== undefined)
          .map((environment) => builder.build(environment)),
      )
      writeThirdParties(out, import.meta.dirname, bundled)
    },
  },
  // Address of the client metadata document; absent: the one that `main/servers/auth/client-registration.ts` names.
  define: clientMetadata === undefined ? {} : { CLIENT_METADATA_URL: JSON.stringify(clientMetadata) },
  environments: {
    client: {
      build: {
        outDir: resolve(out, 'renderer'),
        emptyOutDir: true,
        target: 'chrome140',
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        // As one sheet: what a later one adds would come over what is painted.
        cssCodeSplit: false,
        rolldownOptions: {
          input: here('renderer/index.html'),
          // What the page starts with is one file, and what its pages share another: each request costs the host a turn.
          output: {
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [
                { debugName: 'start', name: startChunk(), priority: 1 },
                { name: 'pages', minShareCount: 2 },
              ],
            },
          },
        },
      },
    },
    // The script of the frame that draws diagrams: one file, which the shells put into a document of its own.
    diagram: {
      consumer: 'client',
      build: {
        outDir: resolve(out, 'diagram'),
        emptyOutDir: true,
        target: 'chrome140',
        modulePreload: false,
        rolldownOptions: {
          input: { frame: here('renderer/diagram/frame.ts') },
          output: { format: 'iife', entryFileNames: '[name].js', codeSplitting: false },
        },
      },
    },
    main: {
      consumer: 'server',
      resolve: node,
      build: {
        outDir: resolve(out, 'main'),
        emptyOutDir: true,
        target: 'node24',
        minify: false,
        rolldownOptions: {
          external,
          input: {
            electron: here('main/shell/electron/main.ts'),
            cli: here('main/shell/cli/main.ts'),
            'demo-server': here('resources/demo-server/main.ts'),
            'demo-server-port': here('resources/demo-server/port.ts'),
            'authorities-worker': here('main/base/authorities/authorities-worker.ts'),
            'schema-worker': here('main/servers/client/validation/schema-worker.ts'),
            'backup-worker': here('main/store/backup/backup-worker.ts'),
            'export-reader-worker': here('main/chat/transfer/export-reader-worker.ts'),
            'search-worker': here('main/store/search/search-worker.ts'),
          },
          output: {
            format: 'es',
            entryFileNames: '[name].js',
            chunkFileNames: 'chunks/[name]-[hash].js',
            codeSplitting: { includeDependenciesRecursively: false, groups: [{ debugName: 'host', name: hostChunks() }] },
          },
        },
      },
    },
    preload: {
      consumer: 'server',
      resolve: node,
      build: {
        outDir: resolve(out, 'preload'),
        emptyOutDir: true,
        target: 'chrome140',
        minify: false,
        rolldownOptions: {
          external: ['electron'],
          input: { preload: here('preload/preload.ts') },
          output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
        },
      },
    },
  },
})
