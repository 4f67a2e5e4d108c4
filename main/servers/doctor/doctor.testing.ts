// Starts that failed, as the doctor is told of them.
import type { HostErrorCode } from '#app/errors.ts'
import type { JsonObject } from '#app/json.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { StartTrace } from '#app/server/doctor.ts'
import type { SandboxAttempt } from '#app/server/sandbox/sandbox-report.ts'
import type { DiagnosisCase, DiagnosisFacts } from './diagnosis-input.ts'

/** What stands for something in an editor only. */
export const nothing = `\${config:x}`
const common = { enabled: true, start: 'needed', trusted: false } as const
export const stdio = (command = 'uvx', args: string[] = ['ledger-mcp']): ServerDefinition => ({
  ...common,
  transport: 'stdio',
  command,
  args,
  env: {},
})
export const remote: ServerDefinition = { ...common, transport: 'streamable-http', url: 'https://mcp.linear.app/mcp', headers: {} }
export const blank: StartTrace = {
  startedAt: 1,
  command: 'uvx ledger-mcp',
  resolved: '/usr/bin/uvx',
  path: '/usr/bin',
  pathSource: 'terminal',
  cwd: '/home/ada',
  exit: null,
  stderr: [],
  output: [],
  steps: [],
  sandbox: null,
}
export const macFacts: DiagnosisFacts = { platform: 'darwin', arch: 'arm64' }
export const windowsFacts: DiagnosisFacts = { platform: 'win32', arch: 'x64' }
export const linuxFacts: DiagnosisFacts = { platform: 'linux', arch: 'x64' }

export const made = (code: HostErrorCode, data: JsonObject = {}, change: Partial<DiagnosisCase> = {}): DiagnosisCase => ({
  name: 'ledger',
  definition: stdio(),
  error: { code, message: 'the host’s own sentence', data },
  trace: blank,
  facts: linuxFacts,
  ...change,
})
export const away = (reason: string, more: JsonObject = {}): DiagnosisCase =>
  made('server.unreachable', { reason, ...more }, { definition: remote })
export const status = (code: number, more: JsonObject = {}): DiagnosisCase =>
  made('server.http-status', { status: code, ...more }, { definition: remote })
/** It ended, and had written these lines. */
export const wrote = (
  stderr: string | string[],
  definition = stdio(),
  exit: StartTrace['exit'] = { code: 1, signal: null },
): DiagnosisCase => made('server.exited', {}, { definition, trace: { ...blank, exit, stderr: [stderr].flat() } })
export const ended = (code: number | null, signal: string | null = null): DiagnosisCase => wrote([], stdio(), { code, signal })
export const binary = (system: NodeJS.Platform, arch: string, on: Partial<DiagnosisFacts> = {}): DiagnosisCase =>
  made('server.spawn-failed', { reason: 'ENOEXEC' }, { facts: { ...linuxFacts, ...on, program: { kind: 'binary', system, arch } } })
export const attempt = { count: 1, firstAt: 1, lastAt: 1 }
/** Start in a sandbox that was tried for these. */
export const blocked = (one: DiagnosisCase, attempts: SandboxAttempt[]): DiagnosisCase => ({
  ...one,
  trace: { ...one.trace, sandbox: { kind: 'on', attempts } },
})
