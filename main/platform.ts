// The seam to the operating system. Electron, the web shell and the command line each implement it.
import type { SystemNotice } from '#app/chat/system-notification.ts'
import type { ShellSummary } from '#app/contract/snapshot.ts'
import type { Settings } from '#app/settings.ts'
import type { ApprovedUrl } from '#main/consent/approved.ts'
import type { BuiltinLauncher } from './servers/process/server-process.ts'

/** Keeps secrets by name (`key/anthropic`, …). Values never reach config files, the database, logs or the page. */
export interface SecretStore {
  /** `memory`: there is no keyring; values last for this run only, and the settings say so. */
  readonly kind: ShellSummary['secrets']
  /** Resolves when `kind` is known. Absent: it is known from the start. */
  readonly opened?: Promise<void>
  /** Whether there is a keyring that did not answer: locked, or its question was dismissed. */
  readonly isLocked?: true
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
  delete(name: string): Promise<void>
}

export interface Platform {
  readonly shell: ShellSummary
  readonly secrets: SecretStore
  /** Opens a page in the person's browser. `page`: this shell cannot; the page that asked does it itself. */
  openUrl(url: ApprovedUrl): Promise<'host' | 'page'>
  /** Absent: the shell has no windows of its own. */
  openWindow?(): void
  /** Resolves with a path; null: nothing was chosen. @throws {HostError} `platform.unavailable` where there is no picker */
  chooseFolder(title: string): Promise<string | null>
  /** Chooses a file, like `chooseFolder`. */
  chooseFile(title: string): Promise<string | null>
  /** Shown only when no window of ours is in front. */
  notify(notice: SystemNotice): void
  /** Sets the language of all texts from now on. Absent: the shell chose one itself, like the command line. */
  speak?(language: Settings['language']): void
  /** Runs a server that ships with Assent. Absent: as a Node child of this process. */
  readonly launchBuiltin?: BuiltinLauncher
}
