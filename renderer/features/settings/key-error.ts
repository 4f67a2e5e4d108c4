// Why a key was not taken, as one sentence beside its field. Pure.
import { describeError } from '#app/describe-error.ts'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'

export function keyErrorWords(error: ErrorValue): string {
  switch (error.code) {
    case 'model.key-refused':
      return t`The key was refused. It may be incomplete or revoked: copy it again from the provider’s console. Nothing was kept.`
    case 'model.offline':
      return t`The provider could not be reached, so the key could not be checked. Check the network, then try again. Nothing was kept.`
    case 'model.rate-limited':
    case 'model.overloaded':
    case 'model.server-error':
      return t`The provider could not check the key just now. Wait a moment, then try again. Nothing was kept.`
    default: {
      const { message, remedy } = describeError(error)
      return [message, remedy].filter(Boolean).join(' ')
    }
  }
}
