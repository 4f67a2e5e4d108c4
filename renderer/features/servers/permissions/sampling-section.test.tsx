// What a server may have of the model, on its page.
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith } from '#renderer/testing/render.tsx'
import { SamplingSection } from './server-permissions.tsx'

afterEach(cleanup)

describe('the budget of a server', () => {
  it('shows what is used of it, and is set by the person', async () => {
    const link = createFakeConnection({
      answers: {
        'server.sampling': () => ({ used: 3100, budget: { tokensPerDay: 20_000, over: 'ask' } }),
        'server.setSamplingBudget': () => ({}),
      },
    })
    await renderWith(<SamplingSection name="notes" />, link)
    await screen.findByText(/3,100 of 20,000 tokens/)
    const field = screen.getByLabelText(/^Tokens a day/)
    fireEvent.change(field, { target: { value: '500' } })
    fireEvent.blur(field)
    fireEvent.click(screen.getByRole('radio', { name: 'Refuse until tomorrow' }))
    await waitFor(() =>
      expect(link.paramsOf('server.setSamplingBudget')).toEqual([
        { name: 'notes', budget: { tokensPerDay: 500, over: 'ask' } },
        { name: 'notes', budget: { tokensPerDay: 20_000, over: 'refuse' } },
      ]),
    )
  })
})
