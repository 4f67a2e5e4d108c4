// Whom to believe that a host is who it says: the authorities that Node brings with it, and, once one of them does not
// vouch for a host, those that this computer trusts besides (a company's own, say). They are asked for no sooner: it may
// take long, and hardly anybody needs it. What failed then had sent nothing, so it is asked again.
import { Worker } from 'node:worker_threads'
import { workerFile } from '../worker-file.ts'

/** The code within what `fetch` threw. */
export function errorReason(error: unknown): string {
  let at: unknown = error
  for (let depth = 0; depth < 6 && at instanceof Error; depth += 1) {
    const { code } = at as { readonly code?: unknown }
    if (typeof code === 'string') return code
    // Every address of a host was tried.
    at = at instanceof AggregateError ? at.errors[0] : at.cause
  }
  return 'failed'
}

const unknownAuthority = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|CERT_UNTRUSTED|UNABLE_TO_(GET_ISSUER|VERIFY)\w+)$/

let learning: Promise<boolean> | undefined
let isOver = false

/**
 * What `ask` resolves to. Where nobody vouches for the host it is asked a second time, with the computer's own authorities;
 * it rejects with the first error where there are none. `ask` must make a new connection each time.
 */
export async function vouched<T>(ask: () => Promise<T>): Promise<T> {
  const wereKnown = isOver
  try {
    return await ask()
  } catch (error) {
    if (wereKnown || !unknownAuthority.test(errorReason(error))) throw error
    learning ??= learn()
      .catch(() => false) // Then it is as it was: nobody vouches for it.
      .finally(() => {
        isOver = true
      })
    if (!(await learning)) throw error
    return ask()
  }
}

/** Node's own, for what takes a `fetch`. Its bodies are texts. */
export const vouchedFetch: typeof fetch = (input, init) => vouched(() => fetch(input, init))

/** Whether there are any that were not known. From then on every new connection of this process goes by them too. */
async function learn(): Promise<boolean> {
  const found = await askSystem()
  if (found.length === 0) return false
  const { getCACertificates, setDefaultCACertificates } = await import('node:tls')
  setDefaultCACertificates([...getCACertificates('default'), ...found])
  return true
}

function askSystem(): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(workerFile(import.meta.dirname, 'authorities-worker'), { stdin: false })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', () => reject(new Error('The system did not say whom it trusts')))
  })
}
