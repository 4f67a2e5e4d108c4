// The documents of views that are open now, each at an address that nobody can guess. A shell serves them to frames.
import { randomBytes } from 'node:crypto'
import { type ApprovedView, spend } from '#main/consent/approved.ts'
import { unconnected } from './unconnected.ts'

export interface ViewDocument {
  readonly bytes: Buffer
  /** The Content-Security-Policy that it must be served with. */
  readonly policy: string
  /** The Connection-Allowlist beside it. */
  readonly connections: string
}

export interface ViewDocuments {
  /** Returns its id. */
  add(approval: ApprovedView): string
  get(id: string): ViewDocument | undefined
  remove(id: string): void
}

export function createViewDocuments(): ViewDocuments {
  const documents = new Map<string, ViewDocument>()
  return {
    add(approval) {
      const { html, policy, connections } = spend(approval)
      const id = randomBytes(24).toString('base64url')
      documents.set(id, { bytes: Buffer.from(unconnected(html), 'utf8'), policy, connections })
      return id
    },
    get: (id) => documents.get(id),
    remove: (id) => void documents.delete(id),
  }
}
