// For tests: a call and rules about it.
import type { CallFacts } from './rules/match-rule.ts'
import type { PathReading } from './rules/path-text.ts'
import type { Rule } from './rules/rule.ts'

export const makeFacts = (part: Partial<CallFacts> = {}): CallFacts => ({
  server: 'files',
  tool: 'move',
  conversationId: 'c1',
  fingerprint: 'f1',
  readOnly: false,
  arguments: {},
  paths: new Map(),
  mode: 'rules',
  now: 1000,
  ...part,
})

export const always = { kind: 'always' } as const
export const here = { kind: 'conversation', conversationId: 'c1' } as const
export const elsewhere = { kind: 'conversation', conversationId: 'c2' } as const

export const makeRule = (id: string, part: Partial<Rule> = {}): Rule => ({
  id,
  effect: 'allow',
  server: 'files',
  scope: always,
  createdAt: 1,
  ...part,
})

/** Paths without links. */
export const plainPaths = (...paths: string[]): ReadonlyMap<string, PathReading> =>
  new Map(paths.map((path) => [path, { sure: true, literal: [path], real: [path] }]))

export const inside = (argument: string, folder: string, real = folder) => ({ kind: 'path-inside', argument, folder, real }) as const
