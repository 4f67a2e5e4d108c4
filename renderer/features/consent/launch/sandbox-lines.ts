// What a sandbox lets a server do, in words: for the launch card and for the difference to the launch that was allowed.

import { t } from '#app/i18n/translate.ts'
import type { LaunchSandbox } from '#app/server/sandbox/sandbox-settings.ts'

/** Rows of the card: what is allowed, and the paths or hosts. An empty list says what there is without it. */
export function sandboxRows(
  sandbox: Extract<LaunchSandbox, { kind: 'on' }>,
): { readonly label: string; readonly values: readonly string[]; readonly words: string }[] {
  const { ownFolder, read, write, hosts, denyRead, denyWrite, denyHosts } = sandbox
  return [
    {
      label: t`May read`,
      values: [...read, ...write],
      words: ownFolder ? t`the system and its package` : t`the system, its package and its folder`,
    },
    { label: t`May write`, values: write, words: t`a home folder of its own` },
    { label: t`May reach`, values: hosts, words: hosts.length === 0 ? t`no host` : '' },
    ...[
      { label: t`May not read`, values: denyRead, words: '' },
      { label: t`May not write`, values: denyWrite, words: '' },
      { label: t`May not reach`, values: denyHosts, words: '' },
    ].filter(({ values }) => values.length > 0),
  ]
}

/** Lines that are compared when a launch has changed. */
export function sandboxLines(sandbox: LaunchSandbox | undefined): string[] {
  if (sandbox === undefined) return []
  if (sandbox.kind !== 'on') return [t`not sandboxed`]
  const lines = sandboxRows(sandbox).flatMap(({ label, values }) => values.map((value) => `${label}: ${value}`))
  return [t`sandboxed`, ...lines]
}
