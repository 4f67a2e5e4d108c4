// Where secrets of servers are kept, in words: a keyring keeps them, memory forgets them with this run.
import type { ShellView } from '#app/contract/snapshot.ts'
import { t } from '#app/words/translate.ts'
import { useConnection } from '#renderer/stores/react.tsx'

export type SecretKeeper = ShellView['secrets']

export const useSecretKeeper = (): SecretKeeper => useConnection((state) => state.about?.shell.secrets ?? 'memory')

/** "kept in the keyring". */
export const keptWords = (keeper: SecretKeeper): string => (keeper === 'keyring' ? t`kept in the keyring` : t`kept for this run only`)

export const memoryWords = t`There is no keyring here: what is kept as a secret is forgotten when Assent quits, and asked for again.`
