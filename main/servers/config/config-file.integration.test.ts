import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { secretMask } from '#app/server/definition.ts'
import { systemClock } from '#main/base/clock.ts'
import { eventually } from '#main/base/eventually.testing.ts'
import { silentLog } from '#main/base/host-log.ts'
import { modeOf } from '#main/base/this-system.testing.ts'
import type { ServerConfig } from './config-file.ts'
import { openServerConfig } from './config-file.ts'
import { maskDefinition } from './mask-definition.ts'

const open: ServerConfig[] = []
const folders: string[] = []
const newPath = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'assent-config-'))
  folders.push(folder)
  return join(folder, 'profile', 'servers.json')
}
function openAt(path: string, demo = true, lastGood?: string): ServerConfig {
  const kept = lastGood === undefined ? {} : { lastGood }
  const config = openServerConfig({ path, demo, log: silentLog, clock: systemClock, lookEveryMs: 20, ...kept })
  open.push(config)
  return config
}
function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
const good = '{ "mcpServers": { "a": { "command": "x", "env": { "API_KEY": "k" } } } }'

afterEach(() => {
  for (const config of open.splice(0)) config.dispose()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

describe('openServerConfig', () => {
  it('gives a new profile the demo, in a file that only its owner reads', () => {
    const path = newPath()
    expect([...openAt(path).definitions().keys()]).toEqual(['demo'])
    expect(readFileSync(path, 'utf8')).toContain('"builtin"')
    expect(modeOf(path, 0o600)).toBe(0o600)
    expect(readdirSync(dirname(path))).toEqual(['servers.json'])
  })

  it('never writes over something that it cannot read', () => {
    const path = newPath()
    mkdirSync(path, { recursive: true })
    const config = openAt(path)
    expect([config.definitions().size, config.problems().length, config.text()]).toEqual([0, 1, ''])
    const demo = openAt(newPath()).definitions().get('demo')
    if (!demo) throw new Error('the demo is missing')
    expect(() => config.save('demo', demo)).toThrow(expect.objectContaining({ code: 'config.unreadable' }))
    expect(statSync(path).isDirectory()).toBe(true)
  })

  it('leaves a file that another program makes while this one is about to', () => {
    const path = newPath()
    const config = openServerConfig({
      path,
      log: silentLog,
      clock: systemClock,
      /** Asked for once the file was seen to be missing. */
      get demo() {
        put(path, good)
        return true
      },
    })
    open.push(config)
    expect([[...config.definitions().keys()], config.problems(), readFileSync(path, 'utf8')]).toEqual([['a'], [], good])
    expect(readdirSync(dirname(path))).toEqual(['servers.json'])
  })

  it('does not make a file that the caller named', () => {
    const path = newPath()
    const config = openAt(path, false)
    expect([config.definitions().size, config.problems().length, existsSync(path)]).toEqual([0, 1, false])
  })

  it('keeps the last good servers when the file breaks, and does not let a form overwrite it', async () => {
    const path = newPath()
    put(path, good)
    const config = openAt(path)
    const a = config.definitions().get('a')
    const onChange = vi.fn()
    config.onChange(onChange)
    writeFileSync(path, '{ "mcpServers": {\n "a": oops')
    await eventually(() => expect(config.problems()[0]).toMatchObject({ file: path, line: 2 }))
    expect(onChange).toHaveBeenCalled()
    expect([...config.definitions()]).toEqual([['a', a]])
    if (!a) throw new Error('a is missing')
    expect(() => config.save('b', a)).toThrow(expect.objectContaining({ code: 'config.syntax' }))
    expect(() => config.remove('a')).toThrow(expect.objectContaining({ code: 'config.syntax' }))
    expect(readFileSync(path, 'utf8')).toContain('oops')
    config.saveText(good)
    expect([config.problems(), readFileSync(path, 'utf8')]).toEqual([[], good])
  })

  it.each([
    ['that broke while nobody looked', (path: string) => writeFileSync(path, '{ "mcpServers": { "a": oops')],
    [
      'that became something else',
      (path: string) => {
        rmSync(path)
        mkdirSync(path)
      },
    ],
  ])('starts with the last good servers and a file %s, says so, and leaves it alone', async (_how, breakIt) => {
    const path = newPath()
    const lastGood = join(dirname(path), 'servers.last-good.json')
    put(path, good)
    const a = openAt(path, true, lastGood).definitions().get('a')
    expect(modeOf(lastGood, 0o600)).toBe(0o600)
    open.splice(0)[0]?.dispose()
    breakIt(path)
    const config = openAt(path, true, lastGood)
    expect([[...config.definitions()], config.problems().length > 0]).toEqual([[['a', a]], true])
    expect(readFileSync(lastGood, 'utf8')).toBe(good)
    if (!a) throw new Error('a is missing')
    expect(() => config.save('b', a)).toThrow()
    rmSync(path, { recursive: true })
    writeFileSync(path, good.replace('"a"', '"c"'))
    await eventually(() => expect([...config.definitions().keys()]).toEqual(['c']))
    expect(readFileSync(lastGood, 'utf8')).toContain('"c"')
  })

  it('refuses text that is not JSON, and changes nothing', () => {
    const path = newPath()
    put(path, good)
    const config = openAt(path)
    for (const text of ['{', 'hello', '']) expect(() => config.saveText(text)).toThrow(expect.objectContaining({ code: 'config.syntax' }))
    expect([config.text(), readFileSync(path, 'utf8')]).toEqual([good, good])
  })

  it('saves entries that are wrong, names them and uses the rest', () => {
    const config = openAt(newPath())
    expect(config.saveText('{ "mcpServers": { "a": { "command": 3 }, "b": { "command": "x" } } }')).toHaveLength(1)
    expect([...config.definitions().keys()]).toEqual(['b'])
  })

  it('sees edits from outside, also when the whole folder is replaced', async () => {
    const path = newPath()
    put(path, good)
    const config = openAt(path)
    writeFileSync(path, good.replace('"a"', '"b"'))
    await eventually(() => expect([...config.definitions().keys()]).toEqual(['b']))
    renameSync(dirname(path), `${dirname(path)}.old`)
    await eventually(() => expect(config.problems()).toHaveLength(1))
    expect([...config.definitions().keys()]).toEqual(['b'])
    put(path, good.replace('"a"', '"c"'))
    await eventually(() => expect([...config.definitions().keys()]).toEqual(['c']))
    expect(config.problems()).toEqual([])
  })

  it('takes edits from outside that it has not seen yet into account when it saves', () => {
    const path = newPath()
    put(path, good)
    const config = openServerConfig({ path, demo: false, log: silentLog, clock: systemClock, lookEveryMs: 60_000 })
    open.push(config)
    const a = config.definitions().get('a')
    if (!a) throw new Error('a is missing')
    writeFileSync(path, good.replace('"a"', '"outside"'))
    config.save('mine', { ...a, start: 'launch' })
    expect([...config.definitions().keys()]).toEqual(['outside', 'mine'])
  })

  it('tells of an edit from outside that an edit of its own came upon, also when it then refuses', () => {
    const path = newPath()
    put(path, good)
    const config = openServerConfig({ path, demo: false, log: silentLog, clock: systemClock, lookEveryMs: 60_000 })
    open.push(config)
    const onChange = vi.fn()
    config.onChange(onChange)
    writeFileSync(path, 'oops')
    expect(() => config.remove('a')).toThrow(expect.objectContaining({ code: 'config.syntax' }))
    expect([onChange.mock.calls.length, config.problems().length]).toEqual([1, 1])
  })

  it('keeps masked values, renames in place, and gives the text back on removal', () => {
    const path = newPath()
    put(path, good)
    const config = openAt(path)
    const a = config.definitions().get('a')
    if (a?.transport !== 'stdio') throw new Error('a is missing')
    const masked = maskDefinition(a)
    expect(masked).toMatchObject({ env: { API_KEY: secretMask } })
    config.save('renamed', { ...masked, trusted: true }, 'a')
    expect([...config.definitions()]).toEqual([['renamed', { ...a, trusted: true }]])
    const before = config.text()
    expect(config.remove('renamed')).toBe(before)
    expect(config.definitions().size).toBe(0)
    config.saveText(before)
    expect([...config.definitions().keys()]).toEqual(['renamed'])
  })

  it('refuses a name that is taken', () => {
    const path = newPath()
    put(path, '{ "mcpServers": { "a": { "command": "x" }, "b": { "command": "y" } } }')
    const config = openAt(path)
    const a = config.definitions().get('a')
    if (!a) throw new Error('a is missing')
    expect(() => config.save('b', a, 'a')).toThrow(expect.objectContaining({ code: 'config.invalid' }))
  })

  it.each([
    ['UTF-16', Buffer.from(`\uFEFF${good}`, 'utf16le')],
    ['UTF-16 of the other order', Buffer.from(`\uFEFF${good}`, 'utf16le').swap16()],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${good}`)],
  ])('reads %s, as Notepad and PowerShell write it, and edits it', (_name, bytes) => {
    const path = newPath()
    mkdirSync(dirname(path))
    writeFileSync(path, bytes)
    const config = openAt(path)
    expect([[...config.definitions().keys()], config.problems()]).toEqual([['a'], []])
    config.remove('a')
    expect(readFileSync(path, 'utf8')).toBe('{\n  "mcpServers": {}\n}')
  })

  it('reads a file again that another program held for a moment, though it is as it was', async () => {
    const path = newPath()
    put(path, good)
    let reads = 0
    const readFile = (file: string): Uint8Array => {
      reads += 1
      if (reads < 3) throw Object.assign(new Error('EBUSY: resource busy or locked, open'), { code: 'EBUSY' })
      return readFileSync(file)
    }
    const config = openServerConfig({ path, demo: true, log: silentLog, clock: systemClock, lookEveryMs: 20, readFile })
    open.push(config)
    expect([config.definitions().has('a'), config.problems().length]).toEqual([false, 1])
    await expect.poll(() => [config.definitions().has('a'), config.problems().length]).toEqual([true, 0])
  })

  it('writes through a link, and leaves the file whole when it cannot write', () => {
    const path = newPath()
    const real = join(dirname(dirname(path)), 'real.json')
    writeFileSync(real, good)
    mkdirSync(dirname(path))
    symlinkSync(real, path)
    const config = openAt(path)
    config.saveText('{ "mcpServers": {} }')
    expect(readFileSync(real, 'utf8')).toBe('{ "mcpServers": {} }')
    const blocked = newPath()
    writeFileSync(dirname(blocked), 'a file where the folder should be')
    const inMemory = openAt(blocked)
    expect([...inMemory.definitions().keys()]).toEqual(['demo'])
    expect(() => inMemory.saveText(good)).toThrow(expect.objectContaining({ code: 'profile.unwritable' }))
    chmodSync(dirname(blocked), 0o600)
  })
})
