import { expect, it } from 'vitest'
import type { ConsentKind, ConsentRequest, ConsentRequestOf } from '../consent/request.ts'
import { overdueNotice, requestNotice } from './system-notification.ts'

const said = 'servers-own-word'
const common = { id: 'r1', createdAt: 0, server: 'fi\u200bles', conversationId: 'c1', why: { kind: 'server-asks' } } as const
const url = `https://${said}.example/${said}`
const definition = { name: said, description: said, inputSchema: {} }

/** Each kind, with the server's own words wherever it has a say. */
const requests: { readonly [K in ConsentKind]: ConsentRequestOf<K> } = {
  'tool-call': {
    ...common,
    kind: 'tool-call',
    tool: said,
    title: said,
    description: said,
    trusted: false,
    inputSchema: {},
    arguments: { said },
    argumentsText: said,
    fingerprint: 'f',
  },
  launch: { ...common, kind: 'launch', target: { transport: 'stdio', command: said, args: [said], envNames: [said] }, fingerprint: 'f' },
  'elicitation-form': { ...common, kind: 'elicitation-form', message: said, requestedSchema: {} },
  'elicitation-url': { ...common, kind: 'elicitation-url', message: said, url },
  'sign-in': { ...common, kind: 'sign-in', resource: url, issuer: url, url, scopes: [said], granted: [], client: 'registered' },
  sampling: {
    ...common,
    kind: 'sampling',
    messages: [{ role: 'user', parts: [{ type: 'text', text: said }] }],
    tools: [],
    toolChoice: 'auto',
    maxTokens: 1,
    hints: [said],
    model: 'm',
  },
  'sampling-result': { ...common, kind: 'sampling-result', model: 'm', text: said, calls: [] },
  roots: { ...common, kind: 'roots', roots: [{ uri: 'file:///x' }] },
  'tool-changed': { ...common, kind: 'tool-changed', tool: said, definition, fingerprint: 'f', paused: [] },
  'config-import': { ...common, kind: 'config-import', servers: [{ name: said, from: said, file: said, secrets: [] }] },
}
const { 'tool-changed': changed, ...waiting } = requests

it.each(Object.entries<ConsentRequest>(waiting))(
  'of %s names the server as the person does, and holds no word of its own',
  (_, request) => {
    const notice = requestNotice(request)
    expect(notice).toEqual({ title: expect.stringMatching(/^“files” \w/), body: expect.any(String), conversationId: 'c1' })
    expect(JSON.stringify(notice)).not.toContain(said)
  },
)

it('nobody is called for a changed tool: nothing waits for the answer', () => {
  expect(requestNotice(changed)).toBeUndefined()
})

it('of a call that gives no word holds no name of its tool', () => {
  const notice = overdueNotice({ conversationId: 'c1', callId: 'k1', server: 'files', tool: said, since: 0, endsAt: 1 })
  expect(notice.title).toContain('“files”')
  expect(JSON.stringify(notice)).not.toContain(said)
})
