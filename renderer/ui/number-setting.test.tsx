import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { NumberSetting } from './number-setting.tsx'

afterEach(cleanup)

it.each<[string, number, number[]]>([
  ['0.25', 2, [0.25]],
  ['12', 2, [12]],
  ['0.255', 2, []],
  ['-1', 2, []],
  ['', 2, []],
  ['0.5', 0, []],
  ['3', 0, [3]],
])('of “%s”, with %d digits, it saves what it takes and says what it does not', (typed, digits, saved) => {
  const values: number[] = []
  render(
    <NumberSetting label="Cost" help="" unit="dollars" value={7} min={0} max={100} digits={digits} onSave={(one) => values.push(one)} />,
  )
  const field = screen.getByRole('textbox', { name: /^Cost/ })
  fireEvent.change(field, { target: { value: typed } })
  fireEvent.blur(field)
  expect([values, field.getAttribute('aria-invalid')]).toEqual([saved, saved.length > 0 ? null : 'true'])
})
