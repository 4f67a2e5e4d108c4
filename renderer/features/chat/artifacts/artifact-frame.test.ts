import { expect, it } from 'vitest'
import { readReport } from './artifact-pane.tsx'

const message = (method: string, params: unknown) => ({ jsonrpc: '2.0', method, params })

it.each<[string, object, unknown]>([
  [
    'an error',
    message('artifact/error', { message: 'x is not defined', line: 24 }),
    { kind: 'error', message: 'x is not defined', line: 4 },
  ],
  ['an error of ours', message('artifact/error', { message: 'x', line: 3 }), { kind: 'error', message: 'x', line: 0 }],
  ['an error that names no line', message('artifact/error', { message: 'x', line: '7' }), { kind: 'error', message: 'x', line: 0 }],
  ['a long error, cut', message('artifact/error', { message: 'x'.repeat(9000) }), { kind: 'error', message: 'x'.repeat(300), line: 0 }],
  [
    'a blocked address',
    message('artifact/blocked', { address: 'https://cdn.example:8443/a?secret' }),
    { kind: 'blocked', host: 'cdn.example:8443' },
  ],
  ['what else was blocked', message('artifact/blocked', { address: 'inline' }), { kind: 'blocked', host: 'inline' }],
  ['no parameters', message('artifact/error', null), undefined],
  ['a request of views', message('tools/call', { name: 'x' }), undefined],
])('reads %s', (_title, sent, report) => {
  expect(readReport(sent, 20)).toEqual(report)
})
