import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'

const longest = 4096

/** Visible ASCII and nothing else (Streamable HTTP, "Session Management"): what else it holds must not be sent back. */
export function sessionFault(server: string, id: string | null): HostError | undefined {
  if (id === null || (id.length <= longest && /^[\x21-\x7e]*$/.test(id))) return undefined
  return new HostError(
    'server.protocol',
    t`“${server}” gave its session a name that the protocol does not allow: only visible ASCII may be in it.`,
    {
      data: { server, reason: 'session-id' },
    },
  )
}
