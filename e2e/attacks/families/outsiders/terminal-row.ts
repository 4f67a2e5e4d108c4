import { join } from 'node:path'
import { type CliBench, makeCliBench } from '#main/shell/cli/cli.testing.ts'
import { type ModelServerOptions, startModelServer } from '../../../model-server/server.ts'
import { type Attack, unless } from '../../attack.ts'
import { entryOf, type Part, startPuppet } from '../../puppet.ts'
import { dirt, forgery, forging, foul, notJson, onTerminal } from '../../terminal.ts'

export const family = 'terminals'

export interface Desk {
  readonly bench: CliBench
  /** Arguments that bring the server. */
  readonly config: readonly string[]
  /** Address of what stands beside, else empty. */
  readonly url: string
}
export interface TerminalRow {
  readonly name: string
  readonly part?: (words: string) => Part
  readonly args: (desk: Desk, words: string) => readonly string[]
  /** Done before, off the terminal. */
  readonly before?: (desk: Desk, words: string, env: Record<string, string>) => unknown
  readonly model?: (words: string) => ModelServerOptions
  /** What else listens while the command runs. */
  readonly beside?: (words: string) => Promise<{ readonly url: string; close(): Promise<unknown> }>
  readonly env?: (desk: Desk, words: string) => Record<string, string>
  readonly onText?: (text: string) => unknown
  /** A text of the server's own lines may have line breaks: then only codes count. */
  readonly isText?: true
  readonly json?: false
  readonly typed?: string
  /** What the control looks for; default: what is around the codes. */
  readonly sees?: string
}

export const profile = ({ bench }: Desk): string[] => ['--data-dir', join(bench.folder, 'data')]

export const terminalRow = ({
  name,
  part,
  args,
  before,
  model,
  beside,
  isText,
  json,
  typed,
  sees = 'PWN',
  ...more
}: TerminalRow): Attack => ({
  family,
  name,
  long: true,
  async run() {
    const wrong: string[] = []
    const kinds = [
      ['codes', foul],
      ['questions', forging],
    ] as const
    for (const [kind, words] of isText ? kinds.slice(0, 1) : kinds) {
      const bench = makeCliBench()
      const puppet = part ? await startPuppet('s', part(words), () => {}) : undefined
      const endpoint = model ? await startModelServer(model(words)) : undefined
      const other = await beside?.(words)
      try {
        const config = ['--config', bench.config(puppet ? { s: entryOf(puppet) } : {}), '--approve', 'all']
        const desk: Desk = { bench, config, url: other?.url ?? endpoint?.url ?? '' }
        const env: Record<string, string> = {
          ...(endpoint ? { ANTHROPIC_BASE_URL: endpoint.url, ANTHROPIC_API_KEY: 'sk-ant-test' } : {}),
          ...more.env?.(desk, words),
        }
        await before?.(desk, words, env)
        const line = args(desk, words)
        const shown = await onTerminal(bench, line, { env, typed, onText: more.onText })
        wrong.push(...dirt(shown), ...(isText ? [] : forgery(shown)))
        wrong.push(...unless(shown.includes(sees), `control (${kind}): nothing of it was shown: ${JSON.stringify(shown.slice(-600))}`))
        if (json === false || kind === 'questions') continue
        const values = await onTerminal(bench, [...line, '--json'], { env, typed, quiet: true })
        wrong.push(...notJson(values), ...dirt(values).map((word) => `--json: ${word}`))
      } finally {
        await puppet?.close()
        await endpoint?.close()
        await other?.close()
        await bench.remove()
      }
    }
    return wrong
  },
})
