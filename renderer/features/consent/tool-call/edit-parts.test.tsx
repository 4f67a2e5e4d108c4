import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { ArgumentEditor } from './edit-parts.tsx'

afterEach(cleanup)

const schema: JsonObject = {
  type: 'object',
  required: ['path'],
  properties: {
    path: { type: 'string' },
    count: { type: 'integer', minimum: 1 },
    dryRun: { type: 'boolean' },
    mode: { enum: ['fast', 'slow'] },
    edits: { type: 'array', items: { type: 'object', required: ['old'], properties: { old: { type: 'string' } } } },
    any: {},
  },
}
const written: JsonObject = { path: '/a', count: 1, dryRun: false, mode: 'fast', edits: [{ old: 'x' }], any: { k: [1] }, more: null }

function open(value: JsonObject = written): { readonly used: JsonObject[] } {
  const used: JsonObject[] = []
  function Editor() {
    const [text, setText] = useState(JSON.stringify(value, null, 2))
    const decision = { text, write: setText, use: (next: JsonObject) => void used.push(next), leave: () => {} }
    return <ArgumentEditor decision={decision} schema={schema} rows={10} />
  }
  render(<Editor />)
  return { used }
}

const box = (name: RegExp | string): HTMLElement => screen.getByLabelText(name)
const type = (name: RegExp | string, value: string): void => void fireEvent.change(box(name), { target: { value } })
const press = (name: RegExp | string): void => void fireEvent.click(screen.getByRole('button', { name }))

describe('the form of arguments', () => {
  it('takes the focus from the heading of its card, also where it has no field yet', () => {
    const Card = ({ editing }: { readonly editing: boolean }) => (
      <section data-request="r">
        <h2 tabIndex={-1}>Heading</h2>
        {editing && (
          <ArgumentEditor
            decision={{ text: '{}', write: () => {}, use: () => {}, leave: () => {} }}
            schema={{ type: 'object', properties: { month: { type: 'string' } } }}
            rows={10}
          />
        )}
      </section>
    )
    const { container, rerender } = render(<Card editing={false} />)
    screen.getByRole('heading').focus()
    rerender(<Card editing />)
    expect(container.querySelector('.field')?.contains(document.activeElement)).toBe(true)
  })

  it('changes what was changed, keeps the rest to the byte, and the order', () => {
    const { used } = open()
    press('Apply')
    type(/^path/, '/b\nc')
    type(/^old/, 'y')
    type('count', '2')
    fireEvent.click(box('dryRun'))
    type('mode', '1')
    type(/^any/, '{"k": [1, 2]}')
    press('Apply')
    expect(used.map((one) => JSON.stringify(one))).toEqual([
      JSON.stringify(written),
      JSON.stringify({ path: '/b\nc', count: 2, dryRun: true, mode: 'slow', edits: [{ old: 'y' }], any: { k: [1, 2] }, more: null }),
    ])
  })

  it('adds, removes and leaves out', () => {
    const { used } = open()
    press('Add to edits')
    press('Leave out count')
    press('Remove edits 1')
    press('Apply')
    expect(used).toEqual([{ ...withoutCount, edits: [{ old: '' }] }])
  })

  it('says at the field what is wrong, and takes nothing over until it is right', () => {
    const { used } = open()
    type('count', '0')
    press('Apply')
    expect([used, box('count').getAttribute('aria-invalid')]).toEqual([[], 'true'])
    type('count', 'many')
    press('Apply')
    type('count', '3')
    type(/^any/, '{')
    press('Apply')
    expect(used).toEqual([])
    type(/^any/, '1')
    press('Apply')
    expect(used).toEqual([{ ...written, count: 3, any: 1 }])
  })

  it('and its JSON are one: what was changed in either stands in the other', () => {
    const { used } = open()
    type(/^path/, '/form')
    fireEvent.click(screen.getByRole('radio', { name: 'JSON' }))
    expect(JSON.parse((box('Arguments as JSON') as HTMLTextAreaElement).value)).toEqual({ ...written, path: '/form' })
    type('Arguments as JSON', '{"path": "/json"}')
    fireEvent.click(screen.getByRole('radio', { name: 'Form' }))
    expect((box(/^path/) as HTMLTextAreaElement).value).toBe('/json')
    press('Apply')
    expect(used).toEqual([{ path: '/json' }])
  })
})

const { count: _, ...withoutCount } = written
