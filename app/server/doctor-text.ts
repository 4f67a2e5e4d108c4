// A report of the doctor as text: for a terminal, and to hand to a colleague or into a bug report. Hidden characters and
// terminal codes are named, never passed on.
import { revealHidden } from '../consent/reveal.ts'
import { formatDuration } from '../text.ts'
import { t } from '../words/translate.ts'
import type { Diagnosis, DoctorReport } from './doctor.ts'

const visible = (text: string): string =>
  revealHidden(text)
    .map((segment) => (segment.kind === 'text' ? segment.text : segment.isAnsi ? '' : `⟨${segment.name}⟩`))
    .join('')

/** Before the further lines of what a server said: none of them begins where the host's own begin. */
const further = ' '.repeat(6)

const fact = (name: string, value: string): string => `  ${name.padEnd(10)} ${visible(value)}`

function diagnosisLines(server: string, { code, why, remedy, actions }: Diagnosis): string[] {
  const more = actions.flatMap((action) => {
    if (action.kind === 'copy') return [fact('', action.text)]
    return action.kind === 'wait' ? [fact('', t`"startTimeout": ${action.startTimeoutMs} in its entry gives it that long`)] : []
  })
  if (code === 'secret-missing') more.push(fact('', t`assent secret set ${server} ID reads it from stdin`))
  return [...(why === '' ? [] : [`  ${visible(why)}`]), fact(t`to do`, remedy), ...more, fact(t`diagnosis`, code)]
}

/** Most diagnoses begin with its name. */
function titleOf({ server, ok, diagnosis }: DoctorReport): string {
  const words = ok ? t`starts` : (diagnosis?.message ?? t`was not started`)
  return visible(words.startsWith(`${server} `) ? words : `${server}: ${words}`)
}

export function doctorText(report: DoctorReport): string {
  const { diagnosis, command, resolved, path, pathSource, cwd, exit, stderr, output, steps } = report
  const words = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`  ${title}`, ...lines.map((line) => `    ${visible(line)}`)]
  return [
    titleOf(report),
    ...(diagnosis === null ? [] : diagnosisLines(report.server, diagnosis)),
    fact(t`command`, command),
    ...(resolved === null ? [] : [fact(t`found at`, resolved)]),
    ...(path === null ? [] : [fact('PATH', pathSource === null ? path : `${path} (${pathSource})`)]),
    ...(cwd === null ? [] : [fact(t`folder`, cwd)]),
    ...(exit === null ? [] : [fact(t`exit`, exit.signal ?? (exit.code === null ? t`unknown` : t`code ${exit.code}`))]),
    ...words(
      t`steps`,
      steps.map(
        ({ name, ms, ok: done, detail }) => `${done ? '✓' : '✗'} ${name} (${formatDuration(ms)})${detail === '' ? '' : `: ${detail}`}`,
      ),
    ),
    ...words(t`stdout that is not MCP`, output),
    ...words(t`stderr`, stderr),
  ]
    .map((entry) => entry.trimEnd().replace(/\r?\n/g, `\n${further}`))
    .join('\n')
}
