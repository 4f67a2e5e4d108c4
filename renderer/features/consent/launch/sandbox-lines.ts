// What a sandbox lets a server do, in lines: for the difference to the launch that was allowed, and for hidden characters.

import { t } from '#app/i18n/translate.ts'
import type { LaunchSandbox } from '#app/server/sandbox/sandbox-settings.ts'

/** Lines that are compared when a launch has changed. */
export function sandboxLines(sandbox: LaunchSandbox | undefined): string[] {
  if (sandbox === undefined) return []
  if (sandbox.kind !== 'on') return [t`not sandboxed`]
  const { read, write, hosts, denyRead, denyWrite, denyHosts } = sandbox
  const rows = [
    [t`May read`, [...read, ...write]],
    [t`May write`, write],
    [t`May reach`, hosts],
    [t`May not read`, denyRead],
    [t`May not write`, denyWrite],
    [t`May not reach`, denyHosts],
  ] as const
  return [t`sandboxed`, ...rows.flatMap(([label, values]) => values.map((value) => `${label}: ${value}`))]
}
