// What becomes of a line that `windowsCommandLine` made, by a model of cmd.exe and of the C runtime after their documented
// rules: what `/c` strips, the expansion of `%` on a command line, quotes and what is special outside them (read twice: by
// `/c`, and by the line of the batch file that passes `%*` on), and how a program splits its line into arguments.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { windowsCommandLine } from './windows-command.ts'

const script = String.raw`C:\Program Files\node%js%\npx.cmd`
/** Every one of them has a value; nobody's line may hold any of it. */
const variables: ReadonlySet<string> = new Set(['path', 'cd', 'cmdcmdline', 'x', 'js', 'random'])
const value = '<expanded>'

/** `cmd /?`: without `/s`, and with more than two quotes, the first and the last quote go. */
function stripped(line: string): string {
  const command = /^\/e:ON \/v:OFF \/d \/c (.*)$/s.exec(line)?.[1] ?? ''
  if (!command.startsWith('"') || command.split('"').length - 1 <= 2) throw new Error(`cmd.exe reads this by other rules: ${line}`)
  const last = command.lastIndexOf('"')
  return command.slice(1, last) + command.slice(last + 1)
}

/** As on a command line, not in a file: `%%` is no escape, and what has no value stays as it is. */
function expanded(line: string): string {
  let made = ''
  for (let at = 0; at < line.length; at += 1) {
    const end = line[at] === '%' ? line.indexOf('%', at + 1) : -1
    const [name = '', change] = line.slice(at + 1, Math.max(end, 0)).split(/:(.*)/s)
    if (end <= at + 1 || !variables.has(name.toLowerCase())) {
      made += line[at]
      continue
    }
    // From the first letter, none of them; every other change leaves something.
    made += change === '~,' ? '' : value
    at = end
  }
  return made
}

/** The line is one command: nothing of it ends it, redirects it or escapes. */
function oneCommand(line: string): string {
  let quoted = false
  for (const char of line) {
    if (char === '"') quoted = !quoted
    if (/[\0\r\n]/.test(char) || (!quoted && /[&|<>^()]/.test(char))) throw new Error(`${JSON.stringify(char)} is special in ${line}`)
  }
  if (quoted) throw new Error(`a quote is open in ${line}`)
  return line
}

/** As the C runtime does since 2008. */
function split(line: string): string[] {
  const args: string[] = []
  let at = 0
  for (;;) {
    while (line[at] === ' ' || line[at] === '\t') at += 1
    if (at >= line.length) return args
    let arg = ''
    let quoted = false
    for (; at < line.length && (quoted || (line[at] !== ' ' && line[at] !== '\t')); at += 1) {
      const slashes = /^\\*/.exec(line.slice(at))?.[0].length ?? 0
      if (line[at + slashes] !== '"') {
        arg += slashes > 0 ? '\\'.repeat(slashes) : line[at]
        at += Math.max(slashes - 1, 0)
        continue
      }
      arg += '\\'.repeat(Math.floor(slashes / 2))
      at += slashes
      if (slashes % 2 === 1) arg += '"'
      else if (quoted && line[at + 1] === '"') {
        arg += '"'
        at += 1
      } else quoted = !quoted
    }
    args.push(arg)
  }
}

/** What the program gets that the batch file runs with `%*`, after the script's own name. */
function received(line: string): string[] {
  const command = oneCommand(expanded(stripped(line)))
  const [name = ''] = /^"[^"]*"/.exec(command) ?? []
  expect(name).toBe(`"${script}"`)
  return split(oneCommand(`node.exe${command.slice(name.length)}`)).slice(1)
}
const passedOn = (...args: string[]): string[] => received(windowsCommandLine(script, args))

it.each([
  [''],
  [' '],
  ['"'],
  ['""'],
  ['"&calc.exe'],
  ['" & calc.exe & "'],
  ['a" "b'],
  ['\\'],
  ['\\\\'],
  ['\\"'],
  ['\\\\"'],
  ['"\\'],
  ['ends with a space \\'],
  ['%PATH%'],
  ['%'],
  ['%%'],
  ['%%PATH%%'],
  ['"%PATH%&calc.exe'],
  ['%cd:~,%'],
  ['%%cd:~,%'],
  ['cd:~,%x'],
  ['%CMDCMDLINE:~-1%&calc.exe'],
  ['%CMDCMDLINE:~0,1%'],
  ['%PATH:;=&%'],
  ['^&calc.exe'],
  ['^'],
  ['^"^&calc.exe'],
  ['a&b|c>d<e(f)g'],
  ['!PATH!'],
  ['--x=1,2;3'],
  ["it's `this`"],
  ['\t'],
  ['\u000b\u000c\u001a\u0085'],
  ['\uff02\u2033\u00a0&calc.exe'],
  ['grüße 😀'],
])('%j comes to the program as it is, and alone', (arg) => {
  expect(passedOn(arg)).toEqual([arg])
  expect(passedOn('before', arg, arg, 'after')).toEqual(['before', arg, arg, 'after'])
})

const pieces = ['"', '\\', '%', '^', '&', '|', '<', '>', '(', ')', '!', ' ', '\t', '=', ',', ';', "'", 'a', 'é', 'cd:~,', 'PATH', ':~0,1']
const argument = fc.string({ unit: fc.constantFrom(...pieces), maxLength: 9 })

it('whatever the arguments are made of, the program gets them and nothing else runs', () => {
  fc.assert(
    fc.property(fc.array(argument, { minLength: 1, maxLength: 4 }), (args) => {
      expect(passedOn(...args)).toEqual(args)
    }),
    { numRuns: 1000 },
  )
})

it.each(['a\nb', 'a\r\nb', '\r&calc.exe', 'a\0b'])('%j ends a line, and is refused', (arg) => {
  const refusal = expect.objectContaining({ code: 'server.spawn-failed', data: expect.objectContaining({ reason: 'control-character' }) })
  expect(() => windowsCommandLine(script, ['fine', arg])).toThrow(refusal)
  expect(() => windowsCommandLine(`C:\\${arg}.cmd`, [])).toThrow(refusal)
})

it.each([
  ['a quote that is not doubled', '"C:\\a.cmd" ""&calc.exe"'],
  ['a caret before a quote', '"C:\\a.cmd" ^"&calc.exe'],
  ['a bare ampersand', '"C:\\a.cmd" a&calc.exe'],
])('the model sees %s (control)', (_what, line) => {
  expect(() => oneCommand(line)).toThrow()
})

it('the model expands what is not held back, and splits as a program does (control)', () => {
  expect(expanded('a %PATH% %nothing% %PATH:~1% %cd:~,%')).toBe(`a ${value} %nothing% ${value} `)
  expect(split(String.raw`a "b c" d\\"e f" "g""h" \"i`)).toEqual(['a', 'b c', String.raw`d\e f`, 'g"h', '"i'])
})
