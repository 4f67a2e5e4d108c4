import { expect, test } from 'vitest'
import type { AskReason, ConsentRequest, LaunchTarget } from '../request.ts'
import { consentSentence, whySentence } from './request-title.ts'

const common = { id: 'r', createdAt: 0, server: 'demo', why: { kind: 'server-asks' } } as const
const signIn = (why: 'sign-in-needed' | 'more-scopes'): ConsentRequest => ({
  ...common,
  kind: 'sign-in',
  why: { kind: why },
  resource: 'https://mcp.example.com/mcp',
  issuer: 'https://auth.example.com',
  url: 'https://auth.example.com/authorize',
  scopes: [],
  granted: [],
  client: 'registered',
})
const stdio: LaunchTarget = { transport: 'stdio', command: 'node', args: [], envNames: [] }

test('a call of an agent names it first, and its folder only where the system told it', () => {
  const call = { tool: 'read', trusted: false, inputSchema: {}, arguments: {}, argumentsText: '{}', fingerprint: 'f' } as const
  const agent = { client: 'g', name: 'Claude Code', folder: '/home/me/web' }
  const title = (verified: boolean): string =>
    consentSentence({ ...common, ...call, kind: 'tool-call', why: { kind: 'no-rule' }, agent: { ...agent, verified } })
  expect([title(true), title(false)]).toEqual([
    '“Claude Code” in /home/me/web wants to use “demo” “read”',
    '“Claude Code” wants to use “demo” “read”',
  ])
})

test.each<[ConsentRequest, string]>([
  [
    {
      ...common,
      kind: 'tool-call',
      tool: 'rename_invoice',
      title: 'Harmless',
      trusted: false,
      inputSchema: {},
      arguments: {},
      argumentsText: '{}',
      fingerprint: 'f',
    },
    '“demo” wants to use “rename_invoice”',
  ],
  [{ ...common, kind: 'launch', target: stdio, fingerprint: 'f' }, 'Start “demo”?'],
  [{ ...common, kind: 'launch', target: stdio, previous: stdio, fingerprint: 'f' }, 'Start “demo”?'],
  [
    {
      ...common,
      kind: 'launch',
      target: { transport: 'streamable-http', url: 'https://mcp.example.com/x', headerNames: [] },
      fingerprint: 'f',
    },
    '“demo” wants to connect to mcp.example.com',
  ],
  [signIn('sign-in-needed'), '“demo” wants you to sign in at auth.example.com'],
  [signIn('more-scopes'), '“demo” wants more scopes at auth.example.com'],
  [{ ...common, kind: 'elicitation-form', message: 'hi', requestedSchema: {} }, '“demo” asks you for an answer'],
  [{ ...common, kind: 'elicitation-url', message: 'hi', url: 'https://example.com/a' }, '“demo” wants to open a page of example.com'],
  [
    { ...common, kind: 'sampling', messages: [], tools: [], toolChoice: 'auto', maxTokens: 1, hints: [], model: 'm' },
    '“demo” wants an answer from your model',
  ],
  [{ ...common, kind: 'sampling-result', model: 'm', text: 'x', calls: [] }, '“demo” wants to read your model’s answer'],
  [{ ...common, kind: 'roots', roots: [] }, '“demo” wants to know your folders'],
])('$kind has a sentence in our words only', (request, sentence) => {
  expect(consentSentence(request)).toBe(sentence)
})

test('every reason has a sentence of its own', () => {
  const reasons: AskReason[] = [
    { kind: 'no-rule' },
    { kind: 'ask-rule', ruleId: 'r' },
    { kind: 'tool-changed' },
    { kind: 'first-launch' },
    { kind: 'launch-changed' },
    { kind: 'server-asks' },
    { kind: 'sign-in-needed' },
    { kind: 'sign-in-expired' },
    { kind: 'more-scopes' },
    { kind: 'person-asks' },
  ]
  expect(new Set(reasons.map(whySentence)).size).toBe(reasons.length)
})
