// Whether the view of a tool (MCP Apps) may be drawn. One that declares no place to load from or connect to is drawn unasked:
// its policy lets it make no request, and all it ever knows is what its own server said or was told. One that reaches out
// is drawn once the person has been shown where; their yes is bound to the server, the resource, and what it was then.
import { createHash } from 'node:crypto'
import { reachesOut, type ViewDomains } from '#app/apps/domains.ts'
import { viewConnections, viewSecurityPolicy } from '#app/contract/csp.ts'
import { type ApprovedView, mint } from './approved.ts'
import type { Kit } from './kit.ts'
import type { ViewQuestion, ViewVerdict } from './types.ts'

export function judgeView(kit: Kit, question: ViewQuestion): ViewVerdict {
  const { server, uri, html, domains, agreed } = question
  const fingerprint = viewFingerprint(html, domains)
  const mayReach = !reachesOut(domains) || kit.rules.hasView(server, uri, fingerprint)
  if (!mayReach) {
    if (agreed !== fingerprint) return { fingerprint, approval: undefined }
    // On record first: when it cannot be recorded, nothing is allowed.
    kit.record.view(question, 'allowed', { fingerprint, connect: domains.connect, resource: domains.resource })
    kit.rules.putView(server, uri, fingerprint)
  }
  const policy = { policy: viewSecurityPolicy(domains), connections: viewConnections(domains) }
  return { fingerprint, approval: mint<ApprovedView>({ server, html, ...policy }) }
}

export function forgetView(kit: Kit, server: string, uri: string): void {
  if (kit.rules.forgetView(server, uri)) kit.record.view({ server, uri }, 'removed', {})
}

const viewFingerprint = (html: string, { connect, resource, baseUri }: ViewDomains): string =>
  createHash('sha256')
    .update(JSON.stringify([connect, resource, baseUri]))
    .update('\0')
    .update(html)
    .digest('hex')
