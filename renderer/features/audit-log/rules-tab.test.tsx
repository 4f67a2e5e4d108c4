import { fireEvent, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Rule } from '#app/consent/rules/rule.ts'
import { makeServer } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'

const rule: Rule = {
  id: 'r1',
  effect: 'allow',
  server: 'files',
  tool: 'write_file',
  conditions: [{ kind: 'path-inside', argument: '/path', folder: '/home/me/notes', real: '/home/me/notes' }],
  scope: { kind: 'always' },
  fingerprint: 'f1',
  createdAt: 1,
}
const catalogue = { tools: [], resources: [], resourceTemplates: [], prompts: [], revision: 1 }

function open(answers: Parameters<typeof createFakeConnection>[0] = {}, hash = '#/activity/rules'): FakeConnection {
  const link = createFakeConnection({
    snapshot: { servers: [makeServer()], rules: [rule] },
    answers: { 'server.catalogue': () => catalogue as never, 'rule.save': () => ({ rule }), ...answers.answers },
  })
  renderAt(link, hash)
  return link
}

it('a rule is written down, and said in words before it counts', async () => {
  const link = open()
  fireEvent.click(await screen.findByRole('button', { name: 'New rule' }))
  const editor = within(screen.getByRole('region', { name: 'New rule' }))
  fireEvent.click(editor.getByRole('radio', { name: 'Deny' }))
  fireEvent.change(editor.getByRole('combobox', { name: 'Server' }), { target: { value: '' } })
  fireEvent.change(editor.getByRole('combobox', { name: 'Tool' }), { target: { value: 'delete_*' } })
  fireEvent.click(editor.getByRole('button', { name: 'Add condition' }))
  fireEvent.click(editor.getByRole('button', { name: 'Save' }))
  expect([editor.getByRole('alert').textContent === '', link.paramsOf('rule.save')]).toEqual([false, []])
  fireEvent.change(editor.getByRole('combobox', { name: 'Argument' }), { target: { value: 'path' } })
  fireEvent.change(editor.getByRole('textbox', { name: 'Value' }), { target: { value: '/etc' } })
  expect(document.querySelector('.rule-says')?.textContent).toBe(
    'Deny delete_* of any server where path is inside /etc, with any other arguments',
  )
  fireEvent.click(editor.getByRole('button', { name: 'Save' }))
  const conditions = [{ kind: 'path-inside', argument: '/path', folder: '/etc' }]
  expect(link.paramsOf('rule.save')).toEqual([{ rule: { effect: 'deny', tool: 'delete_*', conditions, scope: { kind: 'always' } } }])
})

it('a rule is edited in its place', async () => {
  const link = open()
  fireEvent.click(await screen.findByRole('button', { name: /^Edit “write_file”/ }))
  const editor = within(screen.getByRole('region', { name: 'Edit rule' }))
  fireEvent.change(editor.getByRole('textbox', { name: 'Value' }), { target: { value: '/home/me' } })
  fireEvent.click(editor.getByRole('button', { name: 'Save' }))
  expect(link.paramsOf('rule.save')).toMatchObject([{ id: 'r1', rule: { conditions: [{ folder: '/home/me' }] } }])
})

it('the rules are asked what they would do, and say why', async () => {
  const looked = { id: 'r1', match: 'no', conditions: ['no'], expired: false, void: false, otherArguments: [] } as const
  const link = open({ answers: { 'rule.test': () => ({ verdict: { kind: 'ask', why: { kind: 'no-rule' } }, rules: [looked] }) as never } })
  const test = within(await screen.findByRole('region', { name: /^Test a call/ }))
  fireEvent.change(test.getByRole('combobox', { name: 'Tool' }), { target: { value: 'write_file' } })
  fireEvent.change(test.getByRole('textbox', { name: 'Arguments' }), { target: { value: '{"path": "/etc/a"}' } })
  fireEvent.click(test.getByRole('button', { name: 'Test' }))
  expect(await test.findByText(/^Ask: /)).toBeTruthy()
  expect(test.getByRole('status').textContent).toContain('path is inside /home/me/notes')
  expect(link.paramsOf('rule.test')).toEqual([{ server: 'files', tool: 'write_file', arguments: { path: '/etc/a' } }])
})

it('a rule that is suggested elsewhere begins with its server and tool, and is not there before it is added', async () => {
  const link = open({}, '#/activity/rules/files/rename_file')
  const editor = within(await screen.findByRole('region', { name: 'New rule' }))
  expect(editor.getByRole('combobox', { name: 'Tool' })).toHaveProperty('value', 'rename_file')
  expect(link.paramsOf('rule.save')).toEqual([])
  fireEvent.click(editor.getByRole('button', { name: 'Save' }))
  expect(link.paramsOf('rule.save')).toEqual([
    { rule: { effect: 'allow', server: 'files', tool: 'rename_file', scope: { kind: 'always' } } },
  ])
})
