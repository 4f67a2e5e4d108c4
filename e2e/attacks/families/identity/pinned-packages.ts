// Packages that are others than the person allowed: at the registry, in the cache, by what lies in the folder, by the words of a launcher.
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import type { Attack } from '../../attack.ts'
import { firstCard, marking, npx, type PackageStage, plant, tampered } from './package-stage.ts'

const family = 'pinned packages'
const inProject = (stage: PackageStage): JsonObject => ({ ...npx('-y', 'notes-mcp'), cwd: stage.project })
const emptyCache = ({ home }: PackageStage): void => rmSync(join(home, '.npm'), { recursive: true, force: true })
const evil = { mark: 'evil' }
const later = (stage: PackageStage): void => stage.publish(stage.good, '9.9.9', evil)
const depending = { dependencies: { 'notes-dep': '^1.0.0' } }
const withDependency = (stage: PackageStage): void => {
  stage.publish(stage.good, '1.0.0', { name: 'notes-dep', mark: 'dep' })
  stage.publish(stage.good, '1.2.3', depending)
}
/** npm of a project that is led to the attacker's registry, which has the same name and version. */
const ledAway = (stage: PackageStage, line = `registry=${stage.evil.url}`): void => {
  stage.publish(stage.evil, '1.2.3', evil)
  writeFileSync(join(stage.project, '.npmrc'), `${line}\n`)
}
const preloaded = (stage: PackageStage): string => {
  const file = join(stage.project, 'preload.cjs')
  writeFileSync(file, marking(stage, 'evil'))
  return file
}
/** A cache that holds a folder of npx, prepared by the attacker. */
async function preparedCache(stage: PackageStage): Promise<string> {
  const cache = join(stage.project, 'cache')
  for (const args of [
    ['-y', 'notes-mcp'],
    ['-y', 'notes-mcp@1.2.3'],
  ])
    await stage.byHand({ ...npx(...args), env: { npm_config_cache: cache } })
  const { readdirSync } = await import('node:fs')
  for (const folder of readdirSync(join(cache, '_npx'))) {
    const file = join(cache, '_npx', folder, 'node_modules/notes-mcp/server.js')
    writeFileSync(file, `#!/usr/bin/env node\n${marking(stage, 'evil')}`)
  }
  return cache
}

const atTheRegistry: readonly Attack[] = [
  tampered(family, 'a registry that serves other bytes for the same version, after the cache was emptied, runs nothing', {
    tamper(stage) {
      emptyCache(stage)
      stage.publish(stage.good, '1.2.3', evil)
    },
  }),
  tampered(family, 'a tag that was moved runs nothing else', {
    entry: () => npx('-y', 'notes-mcp@beta'),
    first: ({ good }) => good.tag('1.2.3', 'beta'),
    tamper(stage) {
      later(stage)
      stage.good.tag('9.9.9', 'beta')
    },
    fresh: true,
  }),
  tampered(family, 'a newer version within the range runs nothing else', {
    entry: () => npx('-y', 'notes-mcp@^1.0.0'),
    tamper: (stage) => stage.publish(stage.good, '1.9.9', evil),
    fresh: true,
  }),
  tampered(family, 'a latest that was set back to an older version runs nothing older', {
    tamper(stage) {
      stage.publish(stage.good, '1.0.0', evil)
    },
    fresh: true,
  }),
  tampered(family, 'a registry that names no integrity gives no other bytes under the same version', {
    loose: true,
    first: (stage) => stage.publish(stage.good, '1.2.3', { dist: { integrity: undefined } }),
    tamper(stage) {
      emptyCache(stage)
      stage.publish(stage.good, '1.2.3', { ...evil, dist: { integrity: undefined } })
    },
    fresh: true,
  }),
  tampered(family, 'a dependency that is served with other bytes, after the cache was emptied, runs nothing', {
    first: withDependency,
    tamper(stage) {
      emptyCache(stage)
      stage.publish(stage.good, '1.0.0', { name: 'notes-dep', ...evil })
    },
  }),
  firstCard(family, 'a registry whose latest is an address is not followed', {
    entry: () => npx('-y', 'notes-mcp'),
    hand: ({ evil: { url } }) => npx('-y', `${url}notes-mcp/-/notes-mcp-1.2.3.tgz`),
    first(stage) {
      stage.publish(stage.evil, '1.2.3', evil)
      stage.good.tag(`${stage.evil.url}notes-mcp/-/notes-mcp-1.2.3.tgz`)
    },
  }),
]

const swapped = (name: string, change: (modules: string, stage: PackageStage) => void, first?: (stage: PackageStage) => unknown): Attack =>
  tampered(family, `${name} in the cache is not run`, {
    ...(first && { first }),
    tamper: (stage) => change(stage.cached(), stage),
    hand: (stage) => ({ command: join(stage.cached(), '.bin/notes-mcp'), args: [] }),
  })
const evilFile = (stage: PackageStage): string => `#!/usr/bin/env node\n${marking(stage, 'evil')}`
const inTheCache: readonly Attack[] = [
  swapped('another program that the package names', (modules, stage) => {
    writeFileSync(join(modules, 'evil.js'), evilFile(stage))
    chmodSync(join(modules, 'evil.js'), 0o755)
    rmSync(join(modules, '.bin/notes-mcp'))
    symlinkSync('../evil.js', join(modules, '.bin/notes-mcp'))
  }),
  swapped('a program in place of the link to it', (modules, stage) => {
    rmSync(join(modules, '.bin/notes-mcp'))
    writeFileSync(join(modules, '.bin/notes-mcp'), evilFile(stage))
    chmodSync(join(modules, '.bin/notes-mcp'), 0o755)
  }),
  swapped('a link in place of the package', (modules, stage) => {
    const elsewhere = join(stage.project, 'copy')
    cpSync(join(modules, 'notes-mcp'), elsewhere, { recursive: true })
    appendFileSync(join(elsewhere, 'server.js'), marking(stage, 'evil'))
    rmSync(join(modules, 'notes-mcp'), { recursive: true })
    symlinkSync(elsewhere, join(modules, 'notes-mcp'))
  }),
  swapped('a file of the same length and time', (modules, stage) => {
    const file = join(modules, 'notes-mcp/server.js')
    const { atime, mtime } = statSync(file)
    writeFileSync(file, readFileSync(file, 'utf8').replace(JSON.stringify('1.2.3\n'), JSON.stringify('evil1\n')))
    utimesSync(file, atime, mtime)
    void stage
  }),
  swapped('another dependency', (modules, stage) => writeFileSync(join(modules, 'notes-dep/server.js'), evilFile(stage)), withDependency),
  swapped(
    'a nearer dependency of the same name',
    (modules, stage) => {
      const near = join(modules, 'notes-mcp/node_modules/notes-dep')
      mkdirSync(near, { recursive: true })
      writeFileSync(join(near, 'index.js'), evilFile(stage))
    },
    withDependency,
  ),
  swapped(
    'a dependency that is found before the others by its folder',
    (modules, stage) => {
      renameSync(join(modules, 'notes-dep'), join(modules, 'notes-dep-old'))
      mkdirSync(join(modules, 'notes-dep'))
      writeFileSync(join(modules, 'notes-dep/index.js'), evilFile(stage))
    },
    withDependency,
  ),
]

const byTheFolder: readonly Attack[] = [
  tampered(family, 'a registry that the folder’s own settings name serves nothing, after the cache was emptied', {
    entry: inProject,
    tamper(stage) {
      emptyCache(stage)
      ledAway(stage)
    },
    fresh: true,
  }),
  firstCard(family, 'a registry that the folder’s own settings name serves nothing at first', {
    entry: inProject,
    first: (stage) => ledAway(stage),
  }),
  tampered(family, 'code that the folder’s own settings have Node load is not run', {
    entry: inProject,
    tamper: (stage) => writeFileSync(join(stage.project, '.npmrc'), `node-options=--require=${preloaded(stage)}\n`),
  }),
  tampered(family, 'a cache that the folder’s own settings name is not run from', {
    entry: inProject,
    tamper: async (stage) => writeFileSync(join(stage.project, '.npmrc'), `cache=${await preparedCache(stage)}\n`),
  }),
  tampered(family, 'a shell that the folder’s own settings name is not run', {
    entry: inProject,
    tamper(stage) {
      const shell = join(stage.project, 'shell')
      writeFileSync(shell, `#!/bin/sh\necho evil >> ${join(stage.home, 'ran')}\n`)
      chmodSync(shell, 0o755)
      writeFileSync(join(stage.project, '.npmrc'), `script-shell=${shell}\n`)
    },
  }),
  tampered(family, 'a package of the same version in the folder is not run', {
    entry: inProject,
    tamper: (stage) => plant(stage, join(stage.project, 'node_modules')),
  }),
  tampered(family, 'a package of the same version in a folder above is not run', {
    entry: inProject,
    tamper(stage) {
      plant(stage, join(stage.project, '../node_modules'))
      writeFileSync(join(stage.project, '../package.json'), '{"name":"work","dependencies":{"notes-mcp":"1.2.3"}}')
    },
  }),
  firstCard(family, 'a package of the same version in the folder is not run at first', {
    entry: inProject,
    first: (stage) => plant(stage, join(stage.project, 'node_modules')),
  }),
  firstCard(family, 'a cache that was prepared, which a variable of the entry names, is not run as what the card names', {
    entry: (stage) => ({ ...npx('-y', 'notes-mcp'), env: { npm_config_cache: join(stage.project, 'cache') } }),
    first: preparedCache,
  }),
  firstCard(family, 'a registry that a variable of the entry names is not asked before a yes', {
    entry: (stage) => ({ ...npx('-y', 'notes-mcp'), env: { npm_config_registry: stage.evil.url } }),
    first: (stage) => stage.publish(stage.evil, '1.2.3', evil),
    says: 'unpinned',
  }),
  firstCard(family, 'a file of settings that a variable of the entry names leads to no other registry', {
    // npm started in the home folder reads `~/.npmrc` as the project's settings, which go before.
    entry: (stage) => ({
      ...npx('-y', 'notes-mcp'),
      cwd: dirname(stage.home),
      env: { NPM_CONFIG_USERCONFIG: join(stage.project, '.npmrc') },
    }),
    first: (stage) => ledAway(stage),
  }),
  firstCard(family, 'a scope’s registry in the folder’s own settings is not followed', {
    entry: (stage) => ({ ...npx('-y', '@good/notes-mcp@npm:notes-mcp'), cwd: stage.project }),
    first: (stage) => ledAway(stage, `registry=${stage.evil.url}\n@good:registry=${stage.evil.url}`),
  }),
]

/** Row: a form of words. Either the card fixes the version, and a newer one does not run; or it says that it does not. */
const form = (args: readonly string[], command = 'npx', first?: (stage: PackageStage) => unknown): Attack =>
  tampered(family, `“${[command, ...args].join(' ')}” keeps to its card`, {
    entry: () => ({ command, args: [...args] }),
    ...(first && { first }),
    tamper: later,
    fresh: true,
    loose: true,
  })
const forms: readonly Attack[] = [
  form(['-p', 'notes-mcp', 'notes-mcp']),
  form(['-y', '--package=notes-mcp', '--', 'notes-mcp']),
  form(['-y', '-p', 'notes-mcp', '-c', 'notes-mcp']),
  form(['--yes', '--package', 'notes-mcp', '--call=notes-mcp --flag']),
  form(['-yp', 'notes-mcp', 'notes-mcp']),
  form(['-y', 'other@npm:notes-mcp']),
  form(['-y', 'notes-mcp@>=1.0.0 <2.0.0 || >=9']),
  form(['-y', 'notes-mcp@*']),
  form(['--prefer-online', '-y', 'notes-mcp@latest']),
  form(['exec', '-y', 'notes-mcp'], 'npm'),
  form(['x', '--yes', '--package=notes-mcp', '--', 'notes-mcp'], 'npm'),
  form(['npx', '-y', 'notes-mcp'], 'env'),
  form(['-c', 'exec npx -y notes-mcp'], 'sh'),
]

/** Row: what is fetched from no registry, and then is other bytes in the same place. */
const place = (name: string, entry: (stage: PackageStage) => JsonObject, put: (stage: PackageStage, mark?: string) => unknown): Attack =>
  tampered(family, `${name} whose bytes change keeps to its card`, {
    entry,
    first: (stage) => put(stage),
    tamper: (stage) => put(stage, 'evil'),
    fresh: true,
    loose: true,
  })
const places: readonly Attack[] = [
  place(
    'an archive at an address',
    ({ good }) => npx('-y', `${good.url}notes-mcp/-/notes-mcp-1.2.3.tgz`),
    (stage, mark) => stage.publish(stage.good, '1.2.3', mark === undefined ? {} : { mark }),
  ),
]

/** Row: a launcher that is none. */
const planted: readonly Attack[] = [
  firstCard(family, 'a program called npx in the folder is not taken for npx', {
    entry: (stage) => ({ command: './npx', args: ['-y', 'notes-mcp'], cwd: stage.project }),
    first(stage) {
      const file = join(stage.project, 'npx')
      writeFileSync(file, `#!/bin/sh\necho evil >> ${join(stage.home, 'ran')}\n`)
      chmodSync(file, 0o755)
    },
  }),
  firstCard(family, 'a program called npx at an absolute path is not taken for npx', {
    entry: (stage) => ({ command: join(stage.project, 'npx'), args: ['-y', 'notes-mcp'] }),
    first(stage) {
      const file = join(stage.project, 'npx')
      writeFileSync(file, `#!/bin/sh\necho evil >> ${join(stage.home, 'ran')}\n`)
      chmodSync(file, 0o755)
    },
  }),
  firstCard(family, 'npx with a registry among its options asks nothing of it before a yes', {
    entry: (stage) => npx('-y', `--registry=${stage.evil.url}`, 'notes-mcp'),
    first: (stage) => stage.publish(stage.evil, '1.2.3', evil),
    says: 'unpinned',
  }),
]

/** Row: another launcher, of which a program takes the place that writes down what it was given. */
const other = (command: string, args: readonly string[]): Attack =>
  tampered(family, `“${[command, ...args].join(' ')}” keeps to its card`, {
    entry: () => ({ command, args: [...args] }),
    first: (stage) =>
      stage.program(
        command,
        `#!/bin/sh\ncase "$*" in *notes-mcp@1.2.3*) set -- 1.2.3;; *notes-mcp*) set -- $(cat ${stage.home}/latest);; esac\necho $1 >> ${stage.home}/ran\nexec node -e '${server}'\n`,
      ) && writeFileSync(join(stage.home, 'latest'), '1.2.3'),
    tamper(stage) {
      later(stage)
      writeFileSync(join(stage.home, 'latest'), 'evil')
    },
    loose: true,
  })
/** A server in a line: an answer to `initialize` and to lists. */
const server =
  'require("readline").createInterface({input:process.stdin}).on("line",(l)=>{const {id,method}=JSON.parse(l);if(id===undefined)return;const result=method==="initialize"?{protocolVersion:"2025-06-18",capabilities:{tools:{}},serverInfo:{name:"n",version:"1"}}:method==="tools/list"?{tools:[]}:{};console.log(JSON.stringify({jsonrpc:"2.0",id,result}))})'
const others: readonly Attack[] = [
  other('bunx', ['notes-mcp']),
  other('bun', ['x', '--bun', 'notes-mcp@latest']),
  other('pnpm', ['dlx', 'notes-mcp']),
  other('pnpm', ['--package=notes-mcp', 'dlx', 'notes-mcp']),
  other('pnpx', ['notes-mcp']),
  other('yarn', ['dlx', '-q', 'notes-mcp']),
]

export const pinnedPackages: readonly Attack[] = [
  ...atTheRegistry,
  ...inTheCache,
  ...byTheFolder,
  ...forms,
  ...places,
  ...planted,
  ...others,
]
