// Looks for a sandbox of this computer: bubblewrap with socat on Linux, Seatbelt on macOS. It is tried once a run, since a system may have
// the program and refuse what it needs (user namespaces, as Ubuntu's AppArmor does).
import { execFile } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { t } from '#app/i18n/translate.ts'
import { orElse } from '#app/or-else.ts'
import { engineCommands, type NoEngineReason } from '#app/server/sandbox/sandbox-settings.ts'
import { allowedAttempts, trySeatbelt } from './seatbelt/try-seatbelt.ts'

export type SandboxEngine =
  | { readonly kind: 'bubblewrap'; readonly bwrap: string; readonly socat: string; readonly disablesUserns: boolean }
  | { readonly kind: 'seatbelt'; readonly sandboxExec: string }
  | { readonly kind: 'none'; readonly reason: NoEngineReason; readonly remedy: string }

/** Folders of the system alone: a program of the person's PATH could be anybody's. */
const foldersOf = (platform: NodeJS.Platform): readonly string[] =>
  platform === 'darwin' ? ['/usr/bin'] : ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin']
const tryMs = 5000

const isProgram = (path: string): boolean => orElse(() => accessSync(path, constants.X_OK) === undefined, false)

interface FindOptions {
  readonly platform?: NodeJS.Platform
  readonly folders?: readonly string[]
  readonly kernel?: string
}

export async function findEngine({
  platform = process.platform,
  folders = foldersOf(platform),
  kernel = '/proc/sys',
}: FindOptions = {}): Promise<SandboxEngine> {
  const find = (name: string): string | undefined => folders.map((folder) => `${folder}/${name}`).find(isProgram)
  if (platform === 'darwin') return findSeatbelt(find('sandbox-exec'))
  if (platform !== 'linux') return { kind: 'none', reason: 'not-supported', remedy: t`There is no sandbox on this computer.` }
  const [bwrap, socat] = [find('bwrap'), find('socat')]
  if (bwrap === undefined || socat === undefined) {
    return {
      kind: 'none',
      reason: 'not-installed',
      remedy: t`Install bubblewrap and socat (on Debian and Ubuntu: ${engineCommands.install}), then start Assent again.`,
    }
  }
  const help = await run(bwrap, ['--help']).catch(() => '')
  const disablesUserns = help.includes('--disable-userns')
  const namespaces = ['--unshare-user', '--unshare-pid', '--unshare-net', ...(disablesUserns ? ['--disable-userns'] : [])]
  try {
    await run(bwrap, [...namespaces, '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '/bin/sh', '-c', ':'])
    return { kind: 'bubblewrap', bwrap, socat, disablesUserns }
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string }
    const said = stderr.trim().split('\n')[0] || (error instanceof Error ? error.message : '')
    return { kind: 'none', reason: 'refused', remedy: refusedRemedy(said.slice(0, 300), kernel) }
  }
}

/** Command that allows user namespaces where the kernel's settings say that they are refused: ubuntu.com/server/docs (AppArmor), user_namespaces(7). */
function refusedRemedy(said: string, kernel: string): string {
  const setting = (name: string): string => orElse(() => readFileSync(join(kernel, name), 'utf8').trim(), '')
  const command =
    setting('kernel/apparmor_restrict_unprivileged_userns') === '1'
      ? engineCommands.appArmor
      : setting('kernel/unprivileged_userns_clone') === '0'
        ? engineCommands.clone
        : setting('user/max_user_namespaces') === '0'
          ? engineCommands.namespaces
          : undefined
  if (command === undefined)
    return t`bubblewrap may not make a sandbox here (${said}). Start Assent outside of other sandboxes. A container has to allow user namespaces, and must not mask /proc.`
  return t`This system keeps bubblewrap from making a sandbox (${said}). This allows it: ${command}. Then start Assent again.`
}

async function findSeatbelt(sandboxExec: string | undefined): Promise<SandboxEngine> {
  const done = sandboxExec === undefined ? '' : await trySeatbelt(sandboxExec).catch(() => '')
  if (sandboxExec !== undefined && done === allowedAttempts) return { kind: 'seatbelt', sandboxExec }
  const remedy = t`The sandbox of this macOS failed its test. Start Assent outside of other sandboxes.`
  return { kind: 'none', reason: 'refused', remedy }
}

const run = async (command: string, args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(command, [...args], { timeout: tryMs, env: {} })).stdout
