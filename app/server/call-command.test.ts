import { describe, expect, it } from 'vitest'
import { callCommand } from './call-command.ts'

describe('a call as a line for a terminal', () => {
  it.each([
    [
      'plain names stay as they are',
      { server: 'files', tool: 'read_file', arguments: { path: 'notes.txt' } },
      `assent call files read_file '{"path":"notes.txt"}' --json`,
      `assent call files read_file '{"path":"notes.txt"}' --json`,
    ],
    [
      'quotes, dollars, backticks and new lines stay inside one word',
      { server: "it's mine", tool: 'a$(b)`c`', arguments: { text: 'don\'t\n"x" $HOME' } },
      String.raw`assent call 'it'\''s mine' 'a$(b)${'`'}c${'`'}' '{"text":"don'\''t\n\"x\" $HOME"}' --json`,
      String.raw`assent call 'it''s mine' 'a$(b)${'`'}c${'`'}' '{"text":"don''t\n\"x\" $HOME"}' --json`,
    ],
    [
      'quotes that only PowerShell takes for such are doubled there',
      { server: 'a', tool: 'b', arguments: { text: 'x’; calc' } },
      `assent call a b '{"text":"x’; calc"}' --json`,
      `assent call a b '{"text":"x’’; calc"}' --json`,
    ],
    [
      'a name that begins with a dash is no option',
      { server: '--config', tool: '-x', arguments: {} },
      `assent call --json -- '--config' '-x' '{}'`,
      `assent call --json '--' '--config' '-x' '{}'`,
    ],
    [
      'what cannot be seen is written out',
      { server: 'a', tool: 'b', arguments: { text: '\u202egnp\u200b\u{e0041}\u009b' } },
      String.raw`assent call a b '{"text":"\u202egnp\u200b\udb40\udc41\u009b"}' --json`,
      String.raw`assent call a b '{"text":"\u202egnp\u200b\udb40\udc41\u009b"}' --json`,
    ],
  ])('%s', (_title, call, posix, powershell) => {
    expect([callCommand(call, 'posix'), callCommand(call, 'powershell')]).toEqual([posix, powershell])
  })

  it('has none for a name that a terminal would act on', () => {
    expect(callCommand({ server: 'a', tool: 'b\u001b[201~\nrm', arguments: {} }, 'posix')).toBeUndefined()
  })
})
