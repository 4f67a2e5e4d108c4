// What a sandboxed server may do beyond the default profile, as `servers.json` has it (the keys are VS Code's: `sandboxEnabled`,
// `sandbox.filesystem`, `sandbox.network`), and what was approved of it. Pure.
import { z } from 'zod'
import { parseHostPattern } from './host-pattern.ts'

const paths = z.array(z.string().min(1))
const hosts = z.array(z.string().refine((text) => parseHostPattern(text) !== undefined))

const sandboxGrants = z.object({
  /** Files and folders, absolute or below `~`. */
  read: paths,
  /** Readable too. */
  write: paths,
  denyRead: paths,
  denyWrite: paths,
  hosts,
  denyHosts: hosts,
})
export type SandboxGrants = z.infer<typeof sandboxGrants>

/** Sandbox of an entry. `off`: the person chose to run without a sandbox. */
export const sandboxSettings = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('on'), grants: sandboxGrants }),
  z.object({ kind: z.literal('off') }),
])
export type SandboxSettings = z.infer<typeof sandboxSettings>

export const noGrants: SandboxGrants = { read: [], write: [], denyRead: [], denyWrite: [], hosts: [], denyHosts: [] }

/** Why there is no sandbox on this computer. `refused`: the system does not let programs make one (user namespaces). */
const noEngineReason = z.enum(['not-installed', 'refused', 'not-supported'])
export type NoEngineReason = z.infer<typeof noEngineReason>

/** Commands that give a system its sandbox: on Debian and Ubuntu, and for a kernel that refuses user namespaces (user_namespaces(7)). */
export const engineCommands = {
  install: 'sudo apt install bubblewrap socat',
  /** Ubuntu's own profile for bubblewrap, which gives what runs in it no further rights. */
  appArmor:
    'sudo apt install apparmor-profiles && sudo ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo systemctl reload apparmor',
  clone: 'sudo sysctl -w kernel.unprivileged_userns_clone=1',
  namespaces: 'sudo sysctl -w user.max_user_namespaces=15000',
}

/** Settings of the entry, where the person answered otherwise: their answer holds as long as the entry says the same. */
const asked = sandboxSettings.optional()

/** Sandbox of a launch, as it is shown and approved. Paths are absolute, with links resolved. */
export const launchSandbox = z.discriminatedUnion('kind', [
  /** `ownFolder`: it begins in a home folder of its own, since the launch names the person's or none. */
  z.object({ kind: z.literal('on'), ownFolder: z.boolean(), ...sandboxGrants.shape, asked }),
  /** `by`: who chose it. Absent: its entry says so. `option`: `--sandbox off`. */
  z.object({ kind: z.literal('off'), by: z.enum(['person', 'option']).optional(), asked }),
  /** `byDefault`: its entry does not speak of a sandbox, so it runs without one. Absent: its entry wants one. */
  z.object({ kind: z.literal('missing'), reason: noEngineReason, remedy: z.string(), byDefault: z.literal(true).optional() }),
])
export type LaunchSandbox = z.infer<typeof launchSandbox>

/** Why a server needs no sandbox: its container is its fence, it runs elsewhere, or it is part of Assent. */
const sandboxExemption = z.enum(['container', 'remote', 'builtin'])
export type SandboxExemption = z.infer<typeof sandboxExemption>

/** Sandbox of a server as its page shows it. */
export const serverSandbox = z.discriminatedUnion('kind', [
  /** `grants` absent: it has not been approved yet. */
  z.object({ kind: z.literal('on'), grants: sandboxGrants.optional() }),
  /** `earlier`: it was approved before there was a sandbox. */
  z.object({ kind: z.literal('off'), by: z.enum(['entry', 'person', 'option', 'earlier']) }),
  z.object({ kind: z.literal('missing'), reason: noEngineReason, remedy: z.string() }),
  z.object({ kind: z.literal('not-needed'), because: sandboxExemption }),
])
export type ServerSandbox = z.infer<typeof serverSandbox>
