// Certificate authorities: Node's own, and, once they do not vouch for a host, those of the system (a company's, say). The system is
// not asked sooner, since it may take long and is rarely needed. A request that failed so had sent nothing, so it is repeated.
import { startWorker } from '../start-worker.ts'

/** Returns the code within an error of `fetch`. */
export function errorReason(error: unknown): string {
  let at: unknown = error
  for (let depth = 0; depth < 6 && at instanceof Error; depth += 1) {
    const { code } = at as { readonly code?: unknown }
    if (typeof code === 'string') return code
    // AggregateError: every address of a host was tried.
    at = at instanceof AggregateError ? at.errors[0] : at.cause
  }
  return 'failed'
}

const unknownAuthority = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|CERT_UNTRUSTED|UNABLE_TO_(GET_ISSUER|VERIFY)\w+)$/

let learning: Promise<boolean> | undefined
let isOver = false

/** Calls `ask`, and again, over a new connection, with the system's authorities when no known one vouches for the host. */
export async function vouched<T>(ask: () => Promise<T>): Promise<T> {
  const wereKnown = isOver
  try {
    return await ask()
  } catch (error) {
    if (wereKnown || !unknownAuthority.test(errorReason(error))) throw error
    // Without an answer of the system, no authority vouches for the host.
    learning ??= learn().catch(() => false)
    const found = await learning
    isOver = true
    if (!found) throw error
    return ask()
  }
}

/** Node's `fetch` with `vouched`. Bodies are texts. */
export const vouchedFetch: typeof fetch = (input, init) => vouched(() => fetch(input, init))

/** Adds the system's authorities for all new connections of this process. Resolves with whether there are any new ones. */
async function learn(): Promise<boolean> {
  const found = await askSystem()
  if (found.length === 0) return false
  const { getCACertificates, setDefaultCACertificates } = await import('node:tls')
  setDefaultCACertificates([...getCACertificates('default'), ...found])
  return true
}

function askSystem(): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const thread = startWorker(import.meta.dirname, 'authorities-worker', { env: process.env })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', () => reject(new Error('The system did not say whom it trusts')))
  })
}
