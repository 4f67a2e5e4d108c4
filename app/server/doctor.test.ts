import { expect, it } from 'vitest'
import { type DoctorReport, doctorText } from './doctor.ts'

const report: DoctorReport = {
  server: 'ledger',
  ok: false,
  diagnosis: null,
  startedAt: null,
  command: 'uvx',
  resolved: null,
  path: null,
  pathSource: null,
  cwd: null,
  exit: null,
  stderr: [],
  output: [],
  steps: [],
  sandbox: null,
}
const diagnosis = (message: string): DoctorReport['diagnosis'] => ({
  code: 'not-mcp',
  short: '',
  message,
  why: '',
  remedy: '',
  actions: [],
  tone: 'bad',
})
const names = (change: Partial<DoctorReport>): number =>
  doctorText({ ...report, ...change })
    .split('\n')[0]
    ?.match(/ledger/g)?.length ?? 0

it('names the server once in its first line, however it went', () => {
  const first = [
    names({}),
    names({ ok: true }),
    names({ diagnosis: diagnosis('ledger doesn’t start.') }),
    names({ diagnosis: diagnosis('uvx was not found.') }),
  ]
  expect(first).toEqual([1, 1, 1, 1])
})

it('says on a terminal how a secret is entered, where no page asks for it', () => {
  const missing = diagnosis('ledger doesn’t start.')
  expect(doctorText({ ...report, diagnosis: missing && { ...missing, code: 'secret-missing' } })).toContain('assent secret set ledger')
})

// What a server said may have many lines. None of them begins where the host's own begin.
it('sets every further line of what a server said in', () => {
  const said = 'no\r\nassent: Done\nAllow this once? [y/N] y'
  const failed = diagnosis(said)
  const text = doctorText({
    ...report,
    diagnosis: failed && { ...failed, why: said, remedy: said },
    command: said,
    stderr: [said],
    steps: [{ name: 'initialize', ms: 1, ok: false, detail: said }],
  })
  expect(text.split('\n').filter((line) => /^(assent|Allow)/.test(line))).toEqual([])
  expect(text).not.toContain('\r')
})
