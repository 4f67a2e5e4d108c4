import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeServer, makeToolRequest } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith } from '#renderer/testing/render.tsx'
import { scopeOf } from './request/scope-choice.tsx'
import { armAfterMs } from './request/use-arming.ts'
import { ToolCallCard } from './tool-call/tool-call-card.tsx'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(() => new DOMRect(0, 100, 700, 200))
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

async function open(args: Record<string, string>, servers = [makeServer()]) {
  const request = makeToolRequest({ arguments: args })
  const link = createFakeConnection({
    snapshot: { consentRequests: [request], servers },
    answers: { 'consent.answer': () => ({ accepted: true }) },
  })
  await renderWith(<ToolCallCard request={request} />, link)
  fireEvent.click(screen.getByRole('button', { name: 'Other ways to allow' }))
  return () => link.paramsOf('consent.answer').map(({ answer }) => answer)
}

function allow(): void {
  act(() => {
    vi.advanceTimersByTime(armAfterMs)
  })
  fireEvent.click(screen.getByRole('button', { name: /^Always allow/ }))
}

/** Words of each option, with the chosen folder in place of its choices. */
const rules = (): string[] =>
  screen.getAllByRole('radio').map((radio) => {
    const label = radio.closest('label')
    const copy = label?.cloneNode(true) as HTMLElement
    for (const [at, select] of [...(label?.querySelectorAll('select') ?? [])].entries()) {
      const isFolder = select.getAttribute('aria-label')?.startsWith('Folder')
      copy.querySelectorAll('select')[at]?.replaceWith(isFolder ? select.value : document.createElement('select'))
    }
    for (const one of copy.querySelectorAll('.help, select')) one.remove()
    return copy.textContent?.trim() ?? ''
  })

describe('the rule that a card offers', () => {
  it('is the narrowest that would answer the call, said as it will count', async () => {
    const answers = await open({ path: '/home/me/notes/a.md', content: 'x' })
    fireEvent.click(screen.getByRole('radio', { name: /^Always move_file where/ }))
    expect(rules()[2]).toBe('Always move_file where path is inside /home/me/notes, with any content, and no other arguments')
    allow()
    const conditions = [{ kind: 'path-inside', argument: '/path', folder: '/home/me/notes' }]
    expect(answers()).toEqual([{ kind: 'allow', scope: 'always', terms: { conditions, onlyArguments: ['path', 'content'] } }])
  })

  it('names the folder that the person chooses, and ends when they say', async () => {
    const answers = await open({ path: '/home/me/notes/a.md' })
    fireEvent.click(screen.getByRole('radio', { name: /^Always move_file where/ }))
    fireEvent.change(screen.getByRole('combobox', { name: 'Folder for path' }), { target: { value: '/home/me' } })
    fireEvent.change(screen.getByRole('combobox', { name: 'How long the rule counts' }), { target: { value: 'hour' } })
    expect(rules()[2]).toContain('is inside /home/me, and no other arguments')
    const expiresAt = Date.now() + armAfterMs + 3_600_000
    allow()
    const conditions = [{ kind: 'path-inside', argument: '/path', folder: '/home/me' }]
    expect(answers()).toEqual([{ kind: 'allow', scope: 'always', terms: { conditions, onlyArguments: ['path'], expiresAt } }])
  })

  it('names no folder for a server that runs elsewhere', async () => {
    const { definition } = makeServer()
    await open({ path: '/home/me/notes/a.md' }, [
      makeServer({ definition: { ...definition, transport: 'streamable-http', url: 'https://a.test', headers: {} } as never }),
    ])
    expect(rules()[2]).toBe('Always move_file with just these arguments')
  })
})

describe('a refusal that stands', () => {
  const refuse = async (args: Record<string, string>) => {
    const answers = await open(args)
    fireEvent.click(screen.getByRole('button', { name: /^Deny with a reason/ }))
    expect(screen.getByRole('radio', { name: 'Once' })).toHaveProperty('checked', true)
    return answers
  }

  it('is offered as an approval is, said as it will count: whatever other arguments a call has', async () => {
    const answers = await refuse({ path: '/home/me/notes/a.md', content: 'x' })
    fireEvent.click(screen.getByRole('radio', { name: /^Never move_file where/ }))
    expect(rules()[2]).toBe('Never move_file where path is inside /home/me/notes, with any other arguments')
    fireEvent.change(screen.getByRole('combobox', { name: 'Folder for path' }), { target: { value: '/home/me' } })
    fireEvent.change(screen.getByRole('textbox', { name: /^Why not/ }), { target: { value: 'keep out' } })
    fireEvent.click(screen.getByRole('button', { name: 'Always deny' }))
    const conditions = [{ kind: 'path-inside', argument: '/path', folder: '/home/me' }]
    expect(answers()).toEqual([{ kind: 'deny', word: 'keep out', scope: 'always', terms: { conditions } }])
  })

  it('of a tool as a whole stops the answer too where that is pressed', async () => {
    const answers = await refuse({ path: '/home/me/notes/a.md' })
    fireEvent.click(screen.getByRole('radio', { name: /^Never move_file any/ }))
    fireEvent.click(screen.getByRole('button', { name: 'Deny and stop' }))
    expect(answers()).toEqual([{ kind: 'deny', stop: true, scope: 'always' }])
  })

  it('is none where only a word was given', async () => {
    const answers = await refuse({ path: '/home/me/notes/a.md' })
    fireEvent.click(screen.getByRole('button', { name: 'Deny' }))
    expect(answers()).toEqual([{ kind: 'deny' }])
  })
})

it('what lasts beyond one call is only what was chosen', () => {
  const offer = { conditions: [{ kind: 'equals', argument: '/a', value: 1 } as const] }
  const chosen = { lasting: 'day', folders: {} } as const
  expect((['once', 'conversation', 'narrow', 'always'] as const).map((choice) => scopeOf({ ...chosen, choice }, offer, 0))).toEqual([
    { scope: 'once' },
    { scope: 'conversation' },
    { scope: 'always', terms: { ...offer, expiresAt: 86_400_000 } },
    { scope: 'always', terms: { expiresAt: 86_400_000 } },
  ])
})
