// Labels for where servers' secrets are kept: in a keyring, or in memory for this run.
import type { ShellSummary } from '#app/contract/snapshot.ts'
import { t } from '#app/i18n/translate.ts'
import { useConnection } from '#renderer/stores/store-hooks.tsx'

export type SecretKeeper = ShellSummary['secrets']

export const useSecretKeeper = (): SecretKeeper => useConnection((state) => state.about?.shell.secrets ?? 'memory')

/** "kept in the keyring". */
export const secretStorageLabel = (keeper: SecretKeeper): string =>
  keeper === 'keyring' ? t`kept in the keyring` : t`kept for this run only`

export const memoryOnlyLabel = t`No keyring here: secrets are forgotten when Assent quits.`
