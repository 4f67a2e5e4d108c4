import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '#app/json.ts'
import { mostSegments } from '../visible-text.tsx'
import { SchemaEditor, useSchemaText } from './schema-editor.tsx'

afterEach(cleanup)

function open(schema: JsonObject, value: JsonObject | string): { readonly text: () => string; readonly tryAll: () => number } {
  const box = { text: '', tryAll: () => -1 }
  function Editor() {
    const [text, setText] = useState(typeof value === 'string' ? value : JSON.stringify(value, null, 2))
    const editor = useSchemaText({ schema, text, onText: setText })
    box.text = text
    box.tryAll = () => editor.tryAll().wrong
    return (
      <>
        <SchemaEditor editor={editor} rows={10} label="As JSON" />
        <button type="button" onClick={() => editor.tryAll()}>
          Try
        </button>
      </>
    )
  }
  render(<Editor />)
  return { text: () => box.text, tryAll: () => box.tryAll() }
}
const written = ({ text }: { readonly text: () => string }): Json => JSON.parse(text()) as Json
const box = (name: RegExp | string): HTMLElement => screen.getByLabelText(name)
const type = (name: RegExp | string, value: string): void => void fireEvent.change(box(name), { target: { value } })
const press = (name: RegExp | string): void => void fireEvent.click(screen.getByRole('button', { name }))
const radio = (name: string): void => void fireEvent.click(screen.getByRole('radio', { name }))

const shape: JsonObject = {
  oneOf: [
    { title: 'Circle', type: 'object', required: ['kind', 'r'], properties: { kind: { const: 'circle' }, r: { type: 'number' } } },
    { title: 'Square', type: 'object', required: ['kind', 'side'], properties: { kind: { const: 'square' }, side: { type: 'number' } } },
  ],
}
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more })

describe('a form', () => {
  it('draws a bounded number of nodes of a description at first, however much it hides', () => {
    open(object({ a: { type: 'string', description: 'a\u200b'.repeat(5000) } }), { a: 'x' })
    const count = document.querySelectorAll('.reveal').length
    expect([count > 0, count <= mostSegments]).toEqual([true, true])
  })

  it('keeps the text to the byte until something is changed in it, however often it is looked at as JSON', () => {
    const text = '{"n":1.50,\n "more":  [1,2],"a":"x"}'
    const form = open(object({ a: { type: 'string' }, n: { type: 'number' } }), text)
    for (const view of ['JSON', 'Form', 'JSON', 'Form']) radio(view)
    expect(form.text()).toBe(text)
    type(/^a/, 'y')
    expect(written(form)).toEqual({ n: 1.5, more: [1, 2], a: 'y' })
  })

  it('goes from one form to another, and keeps what both have', () => {
    const form = open(object({ shape }), { shape: { kind: 'circle', r: 3 } })
    fireEvent.change(screen.getByRole('combobox', { name: 'Form' }), { target: { value: '1' } })
    expect(written(form)).toEqual({ shape: { kind: 'square', side: 0 } })
    type(/^side/, '4')
    expect(written(form)).toEqual({ shape: { kind: 'square', side: 4 } })
  })

  it('adds, moves and removes items', () => {
    const form = open(object({ list: { type: 'array', items: { type: 'string' } } }), { list: ['a', 'b'] })
    press('Add to list')
    type('list 3', 'c')
    press('Move item 3 up')
    press('Move item 2 up')
    press('Remove list 2')
    expect(written(form)).toEqual({ list: ['c', 'b'] })
  })

  it('chooses several of what there is, in the order of the schema', () => {
    const form = open(object({ on: { type: 'array', uniqueItems: true, items: { enum: ['a', 'b', 'c'] } } }), { on: ['c'] })
    fireEvent.click(box('a'))
    expect(written(form)).toEqual({ on: ['a', 'c'] })
  })

  it('goes between null and a value', () => {
    const form = open(object({ a: { type: ['string', 'null'] } }), { a: 'x' })
    press('Make a null')
    expect(written(form)).toEqual({ a: null })
    press('Set a')
    expect(written(form)).toEqual({ a: '' })
  })

  it('takes members of other names where the schema has some', () => {
    const form = open(object({}, { additionalProperties: { type: 'number' } }), {})
    type('Name', 'x')
    press('Add')
    type(/^x/, '5')
    expect(written(form)).toEqual({ x: 5 })
  })

  it('says so where there are none to take, and takes any within an object of no names', () => {
    open(object({}), {})
    expect([screen.getByText('There is nothing to fill in.') !== null, screen.queryByLabelText('Name')]).toEqual([true, null])
    cleanup()
    open(object({ any: { type: 'object' } }), { any: {} })
    expect(box('Name')).toBeTruthy()
  })

  it('opens what refers to itself one step at a time', () => {
    const form = open(
      { $ref: '#/$defs/node', $defs: { node: object({ name: { type: 'string' }, next: { $ref: '#/$defs/node' } }) } },
      { name: 'a' },
    )
    press('Add next')
    expect([written(form), screen.getAllByRole('button', { name: 'Add next' }).length]).toEqual([{ name: 'a', next: {} }, 1])
  })
})

describe('what is wrong', () => {
  it('is said at the field that was touched, and at all once it is tried', async () => {
    const form = open(object({ a: { type: 'string', minLength: 2 }, b: { type: 'integer', minimum: 1 } }), { a: '', b: 0 })
    expect(box(/^a/).getAttribute('aria-invalid')).toBeNull()
    type(/^a/, 'x')
    await screen.findByText(/Minimum length: 2/)
    const about = box(/^a/).getAttribute('aria-describedby') ?? ''
    expect([document.getElementById(about)?.textContent?.includes('2'), box(/^b/).getAttribute('aria-invalid')]).toEqual([true, null])
    press('Try')
    expect([box(/^b/).getAttribute('aria-invalid'), form.tryAll()]).toEqual(['true', 2])
  })

  it('stands with its place below the JSON', () => {
    open(object({ list: { type: 'array', items: { type: 'number' } } }), { list: [1, 'x'] })
    radio('JSON')
    press('Try')
    const about = document.getElementById(box('As JSON').getAttribute('aria-describedby') ?? '')
    expect(about?.textContent).toContain('/list/1')
  })

  it('goes with the part that it was about', () => {
    const form = open(object({ n: { type: 'number' } }), { n: 1 })
    type(/^n/, 'x')
    expect(form.tryAll()).toBe(1)
    press('Leave out n')
    expect(form.tryAll()).toBe(0)
  })

  it('is that a number would be sent as another', () => {
    const form = open(object({ n: { type: 'number' } }), { n: 1 })
    type(/^n/, '12345678901234567890')
    expect([form.tryAll(), written(form)]).toEqual([1, { n: 1 }])
  })
})

it('hidden characters of a name are spelled out', () => {
  open(object({ 'pa\u202eth': { type: 'string' } }), { 'pa\u202eth': 'x' })
  expect(document.querySelector('.reveal')).toBeTruthy()
})
