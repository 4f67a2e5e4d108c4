// Whose a sign-in is that was kept by the address alone, as it was before each server had its own: the only server's with that
// address, else the one's that somebody signed in to last, as the record has it. Where that is not known it is nobody's.
import type { ServerDefinition } from '#app/server/definition.ts'
import type { AuditReader } from '#main/store/types.ts'

/** What tokens are kept by: the fragment of an address means nothing. */
export function resourceOf(url: string): string {
  const at = new URL(url)
  at.hash = ''
  return at.href
}

export function inheritsSignIn(
  server: string,
  definitions: readonly (readonly [name: string, definition: ServerDefinition])[],
  audit: Pick<AuditReader, 'list'>,
): boolean {
  const own = definitions.find(([name]) => name === server)
  const address = own && addressOf(own[1])
  const sharers = definitions.filter(([, definition]) => addressOf(definition) === address).map(([name]) => name)
  if (sharers.length < 2) return sharers.includes(server)
  const last = sharers
    .flatMap((name) => audit.list({ limit: 1, filter: { server: name, kinds: ['sign-in'], decisions: ['signed-in'] } }))
    .reduce<{ readonly seq: number; readonly server: string | null } | undefined>(
      (one, row) => (one && one.seq > row.seq ? one : row),
      undefined,
    )
  return last?.server === server
}

/** A reference stands for itself. */
function addressOf(definition: ServerDefinition): string | undefined {
  if (definition.transport !== 'streamable-http' && definition.transport !== 'sse') return undefined
  return URL.canParse(definition.url) ? resourceOf(definition.url) : definition.url
}
