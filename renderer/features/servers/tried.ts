// "What was tried", read from an error's data: the same fields that `assent doctor` prints.
import type { ErrorValue } from '#app/errors.ts'
import { isJsonObject } from '#app/json.ts'
import type { ServerDefinition } from '#app/server/definition.ts'

export interface TriedStep {
  readonly name: string
  readonly outcome: 'ok' | 'failed' | 'not-reached'
  readonly ms?: number
  readonly detail?: string
}
export interface Tried {
  readonly command: string
  /** null: looked for and not found. */
  readonly resolved?: string | null
  readonly pathSource?: string
  readonly path: readonly string[]
  readonly cwd?: string
  readonly steps: readonly TriedStep[]
  readonly stderr: readonly string[]
}

const strings = (value: unknown): string[] =>
  typeof value === 'string'
    ? value.split('\n').filter((line) => line.trim() !== '')
    : Array.isArray(value)
      ? value.filter((entry) => typeof entry === 'string')
      : []

function folders(value: unknown): string[] {
  if (Array.isArray(value)) return strings(value)
  if (typeof value !== 'string' || value === '') return []
  return value.split(/^[A-Za-z]:\\|;/.test(value) ? ';' : ':').filter(Boolean)
}

function steps(value: unknown): TriedStep[] {
  if (!Array.isArray(value)) return []
  return value.filter(isJsonObject).flatMap((step) => {
    const { name, ok, ms, detail } = step
    if (typeof name !== 'string') return []
    return {
      name,
      outcome: ok === true ? 'ok' : ok === false ? 'failed' : 'not-reached',
      ...(typeof ms === 'number' ? { ms } : {}),
      ...(typeof detail === 'string' && detail !== '' ? { detail } : {}),
    } satisfies TriedStep
  })
}

export const commandLine = (definition: ServerDefinition): string => {
  switch (definition.transport) {
    case 'stdio':
      return [definition.command, ...definition.args]
        .map((word) => (word === '' || /\s/.test(word) ? JSON.stringify(word) : word))
        .join(' ')
    case 'builtin':
      return `built in: ${definition.module}`
    default:
      return definition.url
  }
}

/** Undefined: the host said nothing beyond the sentence. */
export function readTried(error: ErrorValue, definition: ServerDefinition): Tried | undefined {
  const data = error.data ?? {}
  const { resolved, pathSource, cwd } = data
  const tried: Tried = {
    command: commandLine(definition),
    ...(typeof resolved === 'string' || resolved === null
      ? { resolved }
      : error.code === 'server.command-not-found'
        ? { resolved: null }
        : {}),
    ...(typeof pathSource === 'string' ? { pathSource } : {}),
    path: folders(data['path']),
    ...(typeof cwd === 'string' ? { cwd } : {}),
    steps: steps(data['steps']),
    stderr: strings(data['stderr']),
  }
  const said =
    tried.resolved !== undefined || tried.path.length > 0 || tried.cwd !== undefined || tried.steps.length > 0 || tried.stderr.length > 0
  return said ? tried : undefined
}

/** As text for an issue or a colleague. */
export function triedReport(name: string, error: ErrorValue, tried: Tried | undefined): string {
  const lines = [`${name}: ${error.message}`, `code: ${error.code}`]
  if (!tried) return lines.join('\n')
  lines.push(`command: ${tried.command}`)
  if (tried.resolved !== undefined) lines.push(`resolved to: ${tried.resolved ?? 'nothing'}`)
  if (tried.cwd !== undefined) lines.push(`folder: ${tried.cwd}`)
  if (tried.path.length > 0) lines.push(`PATH (${tried.pathSource ?? 'unknown source'}):`, ...tried.path.map((folder) => `  ${folder}`))
  for (const step of tried.steps) {
    const time = step.ms === undefined ? '' : `, ${Math.round(step.ms)} ms`
    lines.push(`step: ${step.name}: ${step.outcome}${time}${step.detail ? `: ${step.detail}` : ''}`)
  }
  if (tried.stderr.length > 0) lines.push('stderr:', ...tried.stderr.map((line) => `  ${line}`))
  return lines.join('\n')
}
