// Refusal of a call whose headers do not match its body, before it runs (MCP 2026-07-28, "Server validation"): most likely the
// tool asks for other headers by now.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'

/** Published, and in the drafts. */
const numbers: ReadonlySet<number> = new Set([-32020, -32001])
const reason = 'header-mismatch'

/** Reads a header mismatch out of an error that came with HTTP 400; undefined: it is another one. */
export const headerMismatch = ({ code, message }: { readonly code: number; readonly message: string }): HostError | undefined =>
  numbers.has(code)
    ? new HostError(
        'server.protocol',
        t`The server refused the request because its headers do not match it: ${message} (${code}). Nothing was run.`,
        {
          data: { reason, code },
        },
      )
    : undefined

export const isHeaderMismatch = (error: unknown): boolean =>
  error instanceof HostError && error.code === 'server.protocol' && error.data['reason'] === reason
