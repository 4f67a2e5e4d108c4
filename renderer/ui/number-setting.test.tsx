import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { NumberSetting } from './number-setting.tsx'

afterEach(cleanup)

it('stands beside its default, which a changed one goes back to; 0 is spelled out', () => {
  const values: number[] = []
  const setting = (value: number) => (
    <NumberSetting
      label="Cost"
      help=""
      unit="$"
      value={value}
      min={0}
      max={100}
      usual={0}
      zero="No limit"
      onSave={(one) => values.push(one)}
    />
  )
  const { rerender } = render(setting(7))
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: /^Cost/ })
  fireEvent.click(screen.getByRole('button', { name: 'Reset Cost' }))
  rerender(setting(0))
  expect([values, field.value, screen.queryByRole('button'), screen.getByText('Default No limit') !== null]).toEqual([
    [0],
    'No limit',
    null,
    true,
  ])
  expect(screen.queryByText('$')).toBeNull()
  fireEvent.focus(field)
  expect([field.value, screen.queryByText('$') !== null]).toEqual(['', true])
  fireEvent.blur(field)
  expect([values, field.value]).toEqual([[0], 'No limit'])
})

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

it('is written over by whoever comes to it by Tab: its digits are selected without their separators', () => {
  render(<NumberSetting label="Most" help="" unit="tokens" value={10_000_000} min={0} max={100_000_000} onSave={() => undefined} />)
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: /^Most/ })
  const before = field.value
  field.focus()
  expect([before, field.value, field.selectionStart, field.selectionEnd]).toEqual(['10,000,000', '10000000', 0, 8])
})
