// The seam to the operating system. Electron, the web shell and the command line each implement it.
import type { SystemNotice } from '#app/chat/system-notification.ts'
import type { DesktopState, ShellSummary } from '#app/contract/snapshot.ts'
import type { UpdateAction, UpdateState } from '#app/profile-notice.ts'
import type { Settings } from '#app/settings.ts'
import type { SecretStore } from '#main/base/secret-store.ts'
import type { ApprovedUrl } from '#main/consent/approved.ts'
import type { BuiltinLauncher } from './servers/process/server-process.ts'

/** Host as updates see it. */
export interface UpdatedHost {
  readonly isWanted: () => boolean
  /** Whether a turn or a call runs. */
  readonly isBusy: () => boolean
  readonly onChange: () => void
}

/** Updates of the installed app. */
export interface Updates {
  readonly state: UpdateState
  /** Begins to look for updates. Call once. */
  follow(host: UpdatedHost): void
  /** @throws {HostError} `update.busy` */
  act(action: UpdateAction): Promise<void>
}

export interface Platform {
  readonly shell: ShellSummary
  readonly secrets: SecretStore
  /** Command line that runs a command of this program on this profile, for other programs to start. */
  commandLine(command: 'mcp'): string[]
  /** Opens a page in the person's browser. `page`: this shell cannot; the page that asked does it itself. */
  openUrl(url: ApprovedUrl): Promise<'host' | 'page'>
  /** Absent: the shell has no windows of its own. */
  openWindow?(): void
  /** Absent: the shell is no desktop app. */
  readonly desktop?: { state(): DesktopState; hideQuickEntry(): void; pasteQuickEntry(): void; showCrashes(): void }
  /** Resolves with a path; null: nothing was chosen. @throws {HostError} `platform.unavailable` where there is no picker */
  chooseFolder(title: string): Promise<string | null>
  /** Chooses a file, like `chooseFolder`. */
  chooseFile(title: string): Promise<string | null>
  /** Shown only when no window of ours is in front. */
  notify(notice: SystemNotice): void
  /** Sets the language of all texts from now on. Absent: the shell chose one itself, like the command line. */
  speak?(language: Settings['language']): void
  /** Absent: this shell is not updated by itself. */
  readonly updates?: Updates
  /** Runs a server that ships with Assent. Absent: as a Node child of this process. */
  readonly launchBuiltin?: BuiltinLauncher
}
