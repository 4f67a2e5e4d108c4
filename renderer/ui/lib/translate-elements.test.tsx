import { render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { setCatalogue } from '#app/i18n/translate.ts'
import { tx } from './translate-elements.ts'

const view = () => render(<p>{tx`Press ${<kbd>⏎</kbd>} to send ${'it'}`}</p>).container.innerHTML

describe('tx', () => {
  afterEach(() => setCatalogue(undefined))

  it('puts nodes into a message', () => {
    expect(view()).toBe('<p>Press <kbd>⏎</kbd> to send it</p>')
  })

  it('puts them where the translation wants them', () => {
    setCatalogue({ language: 'de', messages: { 'Press {0} to send {1}': '{1} mit {0} senden' } })
    expect(view()).toBe('<p>it mit <kbd>⏎</kbd> senden</p>')
  })

  it('takes no markup from a translation', () => {
    setCatalogue({ language: 'de', messages: { 'Press {0} to send {1}': '<b>{0}</b>' } })
    expect(view()).toBe('<p>&lt;b&gt;<kbd>⏎</kbd>&lt;/b&gt;</p>')
  })
})
