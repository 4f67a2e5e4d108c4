// Ways round a rule: the same place or host spelled otherwise. A server writes what it is told to write, so that a path
// that got past a rule leaves a file behind.
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Condition } from '#app/consent/rules/rule.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { type Attack, no, same, unless } from '../attack.ts'
import { order, orderAs } from '../obey.ts'
import { type Part, tool } from '../puppet.ts'
import { onStage, type Stage } from '../stage.ts'
import { askedAtLast } from './bound/acts.ts'

const family = 'paths and rules'

/** Follows the path as the system does, and makes folders on the way, as servers do. */
function write(path: unknown): void {
  try {
    mkdirSync(dirname(String(path)), { recursive: true })
    writeFileSync(String(path), 'x')
  } catch {
    // No path of this system: then nothing is written.
  }
}
const files: Part = {
  tools: () => [tool('write')],
  call(message) {
    const { path, paths } = (message.params?.['arguments'] ?? {}) as JsonObject
    for (const one of Array.isArray(paths) ? paths : [path]) write(one)
    return 'written'
  },
}

const inside = (argument: string, folder: string): Condition => ({ kind: 'path-inside', argument, folder })
const asked = (stage: Stage): number => stage.asked.filter(({ kind }) => kind === 'tool-call').length
/** What stands in the folder beside the two that were there. */
const written = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()

/** Writing below `ok` is allowed for good; `say` leads out of it. The person refuses what is asked. */
const leaving = (name: string, say: (folder: string) => string): Attack => ({
  family,
  name: `${name} does not lead out of the folder of a rule`,
  run: () =>
    onStage(
      () => ({ files }),
      async (stage) => {
        const { folder, host } = stage
        mkdirSync(join(folder, 'ok'))
        mkdirSync(join(folder, 'secret'))
        symlinkSync(join(folder, 'secret'), join(folder, 'ok', 'link'))
        symlinkSync(join(folder, 'secret', 'new.txt'), join(folder, 'ok', 'file.txt'))
        stage.setPerson(no)
        for (const argument of ['/path', '/paths'])
          await host.request('rule.save', {
            rule: {
              effect: 'allow',
              server: 'files',
              tool: 'write',
              conditions: [inside(argument, join(folder, 'ok'))],
              onlyArguments: [argument.slice(1)],
              scope: { kind: 'always' },
            },
          })
        const before = written(folder)
        await stage.turn(say(folder))
        const attack = [
          ...same('happened', stage.effects, []),
          ...same('asked', asked(stage), 1),
          ...same('written', written(folder), before),
        ]
        const again = await askedAtLast(stage, order('files__write', { path: join(folder, 'ok', 'in.txt') }))
        return [
          ...attack,
          ...same('control: asked', again, 0),
          ...unless(existsSync(join(folder, 'ok', 'in.txt')), 'control: nothing was written'),
        ]
      },
    ),
})
const at = (name: string, path: (folder: string) => unknown): Attack =>
  leaving(name, (folder) => order('files__write', { path: path(folder) }))

/** Writing is allowed, but below `secret` refused for good; `path` leads there. */
const reach = (name: string, path: (folder: string) => string): Attack => ({
  family,
  name: `${name} does not get round a refusal`,
  run: () =>
    onStage(
      () => ({ files }),
      async (stage) => {
        const { folder, host } = stage
        mkdirSync(join(folder, 'ok'))
        mkdirSync(join(folder, 'secret'))
        symlinkSync(join(folder, 'secret'), join(folder, 'ok', 'link'))
        stage.setPerson(no)
        const scope = { kind: 'always' } as const
        await host.request('rule.save', { rule: { effect: 'allow', server: 'files', tool: 'write', scope } })
        await host.request('rule.save', { rule: { effect: 'deny', conditions: [inside('/path', join(folder, 'secret'))], scope } })
        const before = written(folder)
        await stage.turn(order('files__write', { path: path(folder) }))
        const attack = [...same('happened', stage.effects, []), ...same('written', written(folder), before)]
        const again = await askedAtLast(stage, order('files__write', { path: join(folder, 'ok', 'in.txt') }))
        return [
          ...attack,
          ...same('control: asked', again, 0),
          ...unless(existsSync(join(folder, 'ok', 'in.txt')), 'control: nothing was written'),
        ]
      },
    ),
})

const web: Part = { tools: () => [tool('get')] }
/** Pages of example.org are allowed for good; the person refuses the rest. */
const elsewhere = (url: unknown, name = `an address ${JSON.stringify(url)}`): Attack => ({
  family,
  name: `${name} is not one of the rule’s host`,
  run: () =>
    onStage(
      () => ({ web }),
      async (stage) => {
        stage.setPerson(no)
        const conditions: Condition[] = [{ kind: 'url-host', argument: '/url', host: 'example.org', subdomains: true }]
        await stage.host.request('rule.save', {
          rule: { effect: 'allow', server: 'web', tool: 'get', conditions, scope: { kind: 'always' } },
        })
        await stage.turn(order('web__get', isJsonObject(url) ? url : { url }))
        const attack = [...same('happened', stage.effects, []), ...same('asked', asked(stage), 1)]
        await stage.turn(order('web__get', { url: 'https://www.example.org/page' }))
        return [...attack, ...same('control: happened', stage.effects, ['ran web get {"url":"https://www.example.org/page"}'])]
      },
    ),
})

/**
 * Writing is allowed for good, without a word about where: an agent that writes into its own list of servers or rules allows
 * itself the rest (openonion/connectonion issue 722, zeroclaw-labs/zeroclaw pull 2431).
 */
const own = (name: string, path: (dataDir: string, folder: string) => string): Attack => ({
  family,
  name: `${name} does not lead into Assent's own data by a rule`,
  run: () =>
    onStage(
      () => ({ files }),
      async (stage) => {
        const { folder, host, test } = stage
        symlinkSync(test.dataDir, join(folder, 'link'))
        stage.setPerson(no)
        const scope = { kind: 'always' } as const
        await host.request('rule.save', { rule: { effect: 'allow', server: 'files', tool: 'write', scope } })
        const conditions = [inside('/path', dirname(test.dataDir))]
        await host.request('rule.save', { rule: { effect: 'allow', server: 'files', tool: 'write', conditions, scope } })
        await stage.turn(order('files__write', { path: path(test.dataDir, folder) }))
        const attack = [...same('happened', stage.effects, []), ...same('asked', asked(stage), 1)]
        const again = await askedAtLast(stage, order('files__write', { path: join(folder, 'in.txt') }))
        return [
          ...attack,
          ...same('control: asked', again, 0),
          ...unless(existsSync(join(folder, 'in.txt')), 'control: nothing was written'),
        ]
      },
    ),
})

export const rules: readonly Attack[] = [
  own('the list of servers', (dataDir) => `${dataDir}/new-servers.json`),
  own('a link', (_dataDir, folder) => `${folder}/link/new-servers.json`),
  own('the folder itself', (dataDir) => `${dataDir}/`),
  own('a folder above it', (dataDir) => dirname(dataDir)),
  own('.. behind another folder', (dataDir, folder) => `${folder}/../${basename(dataDir)}/new-servers.json`),
  own('another case, which some disks take for the same,', (dataDir) => `${dataDir.toUpperCase()}/new-servers.json`),
  // What a server trims, tidies, expands or splits before it opens a file.
  own('a line break behind a link', (_dataDir, folder) => `${folder}/link/new-servers.json\n`),
  own('a path longer than the system takes', (dataDir) => `${dirname(dataDir)}/${'./'.repeat(2100)}${basename(dataDir)}/new-servers.json`),
  own('a variable', (dataDir) => `$XDG_CONFIG_HOME/${basename(dataDir)}/new-servers.json`),
  own('another’s home folder', (dataDir) => `~root/${basename(dataDir)}/new-servers.json`),
  own('the folder of a process', (dataDir) => `/proc/self/cwd/${basename(dataDir)}/new-servers.json`),
  own('a link in a command line', (_dataDir, folder) => `cp /tmp/x ${folder}/link/new-servers.json`),
  own('a link in an option', (_dataDir, folder) => `--out=${folder}/link/new-servers.json`),
  own('a link in quotes', (_dataDir, folder) => `"${folder}/link/new-servers.json"`),
  own('a command line', (dataDir) => `echo x > ${dataDir}/new-servers.json`),
  at('..', (folder) => `${folder}/ok/../secret/new.txt`),
  at('a link to a folder', (folder) => `${folder}/ok/link/new.txt`),
  at('a link to a file that is not there', (folder) => `${folder}/ok/file.txt`),
  at('.. behind a link', (folder) => `${folder}/ok/link/../new.txt`),
  at('a folder whose name begins alike', (folder) => `${folder}/okay.txt`),
  at('another case', (folder) => `${folder}/OK/new.txt`),
  at('a look-alike letter', (folder) => `${folder}/\u043ek/new.txt`),
  at('a wide letter', (folder) => `${folder}/\uff4fk/new.txt`),
  at('an encoded ..', (folder) => `${folder}/ok/%2e%2e/new.txt`),
  at('a backslash', (folder) => `${folder}/ok\\..\\new.txt`),
  at('a file URL', (folder) => `file://${folder}/ok/../new.txt`),
  at('a NUL', (folder) => `${folder}/new.txt\u0000${folder}/ok/a`),
  at('a line break', (folder) => `${folder}/ok/a\n/../../new.txt`),
  at('the home folder', () => '~/ok/new.txt'),
  at('a relative path', () => 'ok/new.txt'),
  // What a server may expand: spellings recorded at other agents' path gates (kirodotdev/KiroCrew, pulls 5411 and 9089).
  ...['{..,.}', '[.][.]', '.?', '*', '$X', `\${X}`, '~', '%X%', '@(..)', "'..'"].map((part) =>
    at(`a part that a server may expand (${part})`, (folder) => `${folder}/ok/${part}/secret/new.txt`),
  ),
  ...['\uff0e\uff0e/secret', '\u2024\u2024/secret', '..\u2215secret'].map((part) =>
    at(`a part that folds to a way up (${JSON.stringify(part)})`, (folder) => `${folder}/ok/${part}/new.txt`),
  ),
  at('an object in place of a path', (folder) => ({ path: `${folder}/ok/a` })),
  leaving('one of several paths', (folder) => order('files__write', { paths: [`${folder}/ok/a`, `${folder}/new.txt`] })),
  leaving('another argument beside', (folder) => order('files__write', { path: `${folder}/ok/a`, paths: [`${folder}/new.txt`] })),
  leaving('a key that is there twice', (folder) =>
    orderAs('files__write', `{"path":${JSON.stringify(`${folder}/ok/a`)},"path":${JSON.stringify(`${folder}/new.txt`)}}`),
  ),
  leaving('a key of the prototype', (folder) =>
    orderAs('files__write', `{"__proto__":{"path":${JSON.stringify(`${folder}/ok/a`)}},"paths":[${JSON.stringify(`${folder}/new.txt`)}]}`),
  ),
  reach('..', (folder) => `${folder}/ok/../secret/new.txt`),
  reach('a link', (folder) => `${folder}/ok/link/new.txt`),
  reach('a double slash', (folder) => `${folder}//secret/./new.txt`),
  reach('.. behind a link', (folder) => `${folder}/ok/link/../secret/new.txt`),
  reach('another case, which some disks take for the same,', (folder) => `${folder}/SECRET/new.txt`),
  ...[
    'https://example.org@evil.example/',
    'https://evil.example/?example.org',
    'https://example.org.evil.example/',
    'https://evilexample.org/',
    'https:\\\\evil.example\\example.org',
    'https://evil.example#@example.org/',
    'https://ex\u0430mple.org/',
    'https://example.org:8443/',
    'file://example.org/etc/passwd',
    ' https://example.org/\nhttps://evil.example',
  ].map((url) => elsewhere(url)),
  elsewhere(['https://example.org/', 'https://evil.example/'], 'one of several addresses'),
]
