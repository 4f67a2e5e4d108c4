// Paths and addresses in forms that a server, a disk or another system reads otherwise than a rule: what might be expanded,
// folded, decoded or split is asked; a never for a host holds in every form; links made after a rule lead nowhere else.
import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Condition } from '#app/consent/rules/rule.ts'
import type { JsonObject } from '#app/json.ts'
import { type Attack, no, same, unless } from '../../attack.ts'
import { order } from '../../obey.ts'
import { type Part, tool } from '../../puppet.ts'
import { askedAtLast, callsIn, saveRule, together } from './acts.ts'

const family = 'forms of paths'

/** Writes what it is told to, as the system follows the path. */
const files: Part = {
  tools: () => [tool('write')],
  call(message) {
    const { path } = (message.params?.['arguments'] ?? {}) as JsonObject
    try {
      mkdirSync(dirname(String(path)), { recursive: true })
      writeFileSync(String(path), 'x')
    } catch {
      // No path of this system.
    }
    return 'written'
  },
}
const inside = (folder: string, argument = '/path'): Condition => ({ kind: 'path-inside', argument, folder })
const write = (path: unknown): string => order('files__write', { path })
const listed = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()

function lay(folder: string): void {
  for (const name of ['ok', 'secret']) mkdirSync(join(folder, name))
}

/** A host of each row, since what is laid after the rule belongs to it alone. */
const upset = (name: string, input: (folder: string) => unknown, lays: (folder: string) => void): Attack =>
  leaving([[name, input]], lays)[0] as Attack
type Input = (folder: string) => unknown
type Rows = readonly (readonly [name: string, input: Input])[]

/** Writing below `ok` is allowed for good; `input` is no plain path in it. */
const leaving = (rows: Rows, after: (folder: string) => void = () => undefined): Attack[] =>
  together({
    family,
    cast: { files },
    rows: rows.map(([name, input]) => [`${name} is not what a rule for a folder allows`, input]),
    async lay(stage) {
      const { folder } = stage
      lay(folder)
      stage.setPerson(no)
      const conditions = [inside(join(folder, 'ok'))]
      await saveRule(stage, { effect: 'allow', server: 'files', tool: 'write', conditions, onlyArguments: ['path'] })
      const control = [
        ...same('control: asked', await askedAtLast(stage, write(join(folder, 'ok', 'in.txt'))), 0),
        ...unless(existsSync(join(folder, 'ok', 'in.txt')), 'control: nothing was written'),
      ]
      after(folder)
      return control
    },
    async attempt(stage, input) {
      const [before, ran, asked] = [listed(stage.folder), stage.effects.length, callsIn(stage).length]
      await stage.turn(write(input(stage.folder)))
      return [
        ...same('ran', stage.effects.length - ran, 0),
        ...same('asked', callsIn(stage).length - asked, 1),
        ...same('written', listed(stage.folder), before),
      ]
    },
  })

const web: Part = { tools: () => [tool('get')] }
const evil: Condition = { kind: 'url-host', argument: '/url', host: 'evil.example', subdomains: true }
const get = (url: unknown): string => order('web__get', { url })

/** Pages are fetched wherever, but never of evil.example. */
const neverOf = (urls: readonly unknown[]): Attack[] =>
  together({
    family,
    cast: { web },
    rows: urls.map((url) => [`${JSON.stringify(url)} does not get round a never for a host`, url]),
    async lay(stage) {
      stage.setPerson(no)
      await saveRule(stage, { effect: 'allow', server: 'web', tool: 'get' })
      await saveRule(stage, { effect: 'deny', server: 'web', conditions: [evil] })
      await stage.turn(get('https://example.org/'))
      return same('control: ran', stage.effects.length, 1)
    },
    async attempt(stage, url) {
      const ran = stage.effects.length
      await stage.turn(get(url))
      return same('ran', stage.effects.length - ran, 0)
    },
  })
const swapLink = (folder: string): void => {
  renameSync(join(folder, 'ok'), join(folder, 'gone'))
  symlinkSync(join(folder, 'secret'), join(folder, 'ok'))
}

export const pathForms: readonly Attack[] = [
  ...leaving([
    // Shells, glob libraries, path libraries and templates: what they make of these is theirs to say.
    ...['$(echo ..)', '`echo ..`', '!(x)', '+(..)', '**', '[^a]', '{1..3}', '$HOME', '%2e%2e', '%252e%252e', '..%00', '~root'].map(
      (text): Rows[number] => [`a part ${JSON.stringify(text)}`, (folder) => `${folder}/ok/${text}/new.txt`],
    ),
    ['a folder of a process', () => '/proc/self/cwd/new.txt'],
    ['a path in a UNC form', (folder) => `\\\\?\\${folder}\\ok\\..\\new.txt`],
    ['a share of another computer', () => '\\\\evil\\share\\new.txt'],
    ['a drive', () => 'C:\\ok\\new.txt'],
    ['a file URL in capitals', (folder) => `FILE://${folder}/ok/../new.txt`],
    ['an option before a path', (folder) => `--out=${folder}/ok/../new.txt`],
    ['a sign of curl before a path', (folder) => `@${folder}/new.txt`],
    ['a space before a path', (folder) => ` ${folder}/ok/../new.txt`],
    ['a byte order mark before a path', (folder) => `\ufeff${folder}/ok/a`],
    ['quotes round a path', (folder) => `"${folder}/ok/../new.txt"`],
    ['no text at all', () => ''],
    ['a number', () => 7],
    ['null', () => null],
    ['a list in a list', (folder) => [[`${folder}/new.txt`]]],
    ['an empty list', () => []],
    ['a fraction slash', (folder) => `${folder}/ok/..\u2044secret/new.txt`],
    ['a full-width slash', (folder) => `${folder}/ok/..\uff0fsecret/new.txt`],
    ['a backslash of another block', (folder) => `${folder}/ok/..\ufe68secret/new.txt`],
  ]),
  upset('a folder that became a link after the rule', (folder) => `${folder}/ok/new.txt`, swapLink),
  upset(
    'a link behind a link, made after the rule,',
    (folder) => `${folder}/ok/one/new.txt`,
    (folder) => {
      symlinkSync(join(folder, 'two'), join(folder, 'ok', 'one'))
      symlinkSync(join(folder, 'secret'), join(folder, 'two'))
    },
  ),
  ...neverOf([
    'https://EVIL.example/',
    'https://evil.example./',
    'https://evil.example:443/',
    'https://ada@evil.example/',
    '//evil.example/',
    'evil.example/path',
    'https:evil.example',
    'https:\\\\evil.example',
    'https://ev%69l.example/',
    'https://\uff45vil.example/',
    'ht\ntps://evil.example/',
    'https://evil\u3002example/',
    'https://ev\u00adil.example/',
    'https://a.evil.example/',
    'https://example.org/ https://evil.example/',
    ['https://example.org/', 'https://evil.example/'],
    { href: 'https://evil.example/' },
    'view-source:https://evil.example/',
    'jar:https://evil.example/!/a',
  ]),
]
