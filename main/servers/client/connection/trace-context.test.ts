import { expect, test } from 'vitest'
import { readTrace } from './trace-context.ts'

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01'

test.each<[string, Record<string, string | undefined>, object | undefined]>([
  ['nothing', {}, undefined],
  ['all three', { TRACEPARENT, TRACESTATE: 'a=1', BAGGAGE: 'u=x' }, { traceparent: TRACEPARENT, tracestate: 'a=1', baggage: 'u=x' }],
  ['a state without its parent', { TRACESTATE: 'a=1' }, undefined],
  ['a parent that is none', { TRACEPARENT: 'mine', TRACESTATE: 'a=1', BAGGAGE: 'u=x' }, { baggage: 'u=x' }],
  ['a trace of zeros', { TRACEPARENT: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` }, undefined],
  ['an unknown version', { TRACEPARENT: TRACEPARENT.replace('00-', 'ff-') }, undefined],
  ['baggage with a line break', { TRACEPARENT, BAGGAGE: 'a\nb' }, { traceparent: TRACEPARENT }],
])('of an environment with %s', (_title, env, expected) => {
  expect(readTrace(env)).toEqual(expected)
})
