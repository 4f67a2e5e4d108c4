// One step of an installation: a program that is run to its end. Of a server with a sandbox it is confined to what the step needs, in a
// home folder of its own, which the server never sees: what is cached there, no server can change.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import { noGrants, type SandboxGrants } from '#app/server/sandbox/sandbox-settings.ts'
import type { Environment } from '../../process/environment/environment.ts'
import { type ProgramEnd, runToEnd } from '../../process/sandbox/run-confined.ts'
import type { Sandbox } from '../../process/sandbox/sandbox.ts'

export interface InstallContext {
  readonly environment: Pick<Environment, 'prepare' | 'variables'>
  readonly sandbox: Pick<Sandbox, 'confine'>
}

/** Server that something is installed for. */
export interface InstallFor {
  readonly server: string
  /** Grants of the server, when it runs in a sandbox: then its installation does, too. */
  readonly grants?: SandboxGrants | undefined
  readonly signal: AbortSignal
  /** Told when something is fetched, which may take minutes. */
  readonly onFetch?: () => void
}

/** Grants of one step in its sandbox, beside reading what its program needs. */
export type StepGrants = Partial<Pick<SandboxGrants, 'read' | 'write' | 'hosts'>>

/** A step that failed, with what its program said. `refused`: hosts that the sandbox kept it from. */
export class InstallError extends Error {
  readonly refused: readonly string[]

  constructor(message: string, refused: readonly string[]) {
    super(refused.length === 0 ? message : `${message} ${t`The sandbox of its installation does not reach ${refused.join(', ')}.`}`)
    this.refused = refused
  }
}

/** Returns the error of a package that could not be installed. `error`: what ended its step. */
export function notInstalled(what: string, program: string, error: unknown, data: JsonObject): HostError {
  const said = error instanceof Error ? error.message : String(error)
  const refused = error instanceof InstallError ? [...error.refused] : []
  return new HostError('server.package-not-installed', t`${what} could not be installed. ${program} said: ${said}`, {
    data: { ...data, said, refused },
  })
}

/** Time that one step may take, in milliseconds: a first download may be large. */
const stepMs = 10 * 60_000

/** Name of the folder of a server's installations: no server can have it. */
const ownerOf = (server: string): string => `${server}\0packages`

/** Runs a step and resolves with how it ended. `launch`: as an entry of a server's. */
export async function runInstaller(
  launch: StdioDefinition,
  may: StepGrants,
  { server, grants, signal, onFetch }: InstallFor,
  { environment, sandbox }: InstallContext,
): Promise<ProgramEnd & { readonly refused: readonly string[] }> {
  onFetch?.()
  const refused = new Set<string>()
  const prepared = await environment.prepare(launch)
  const confined =
    grants &&
    (await sandbox.confine({
      server: ownerOf(server),
      grants: { ...noGrants, denyHosts: grants.denyHosts, denyRead: grants.denyRead, ...may },
      launch: prepared,
      onAttempt: ({ host, port, refused: why }) => {
        if (why === 'not-granted' || why === 'denied' || why === 'private-address') refused.add(port === 443 ? host : `${host}:${port}`)
      },
    }))
  return { ...(await runToEnd(prepared, { signal, timeoutMs: stepMs, confined })), refused: [...refused] }
}

/** @throws {InstallError} when the program fails. `said`: finds what it said of that among its lines. */
export async function mustRun(
  launch: StdioDefinition,
  may: StepGrants,
  into: { readonly for: InstallFor; readonly context: InstallContext; readonly said: RegExp },
): Promise<void> {
  const { code, stderr, refused } = await runInstaller(launch, may, into.for, into.context)
  if (code === 0) return
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const telling = lines.filter((line) => into.said.test(line) && !/complete log/i.test(line))
  throw new InstallError((telling.length > 0 ? telling.slice(0, 3) : lines.slice(-3)).join(' ').slice(0, 500), refused)
}
