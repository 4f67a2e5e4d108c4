// The answers to what is ticked, below the list. Allowing is inert for a moment whenever that changes.
import { useRef, useState } from 'react'
import { t } from '#app/words/translate.ts'
import { AllowButton, DenyButton } from '#renderer/features/consent/answer-buttons.tsx'
import { DenyWord } from '#renderer/features/consent/deny-word.tsx'
import { useArming } from '#renderer/features/consent/use-arming.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { sharedWords, shownAs } from './batch.ts'
import type { Batch } from './use-batch.ts'

export function BatchBar({ batch }: { readonly batch: Batch }) {
  const { chosen, busy } = batch
  const bar = useRef<HTMLElement>(null)
  const [word, setWord] = useState(false)
  const arming = useArming(bar, `${word} ${chosen.map((one) => `${one.id} ${shownAs(one)}`).join(' ')}`)
  const count = chosen.length
  return (
    <section className="batchbar" ref={bar} aria-label={t`Chosen calls`}>
      <p role="status">
        <b>{tx`${count} selected`}</b>{' '}
        <span className="dim">
          <Revealed text={sharedWords(chosen)} />
        </span>
      </p>
      <div className="row wrap">
        {word ? (
          <DenyWord onDeny={(text, stop) => batch.deny(chosen, text, stop)} onCancel={() => setWord(false)} />
        ) : (
          <>
            <AllowButton arming={arming} blocked={busy} onPress={batch.allowOnce}>
              {count === 1 ? t`Allow once` : t`Allow these ${count} once`}
            </AllowButton>
            <DenyButton onPress={() => batch.deny(chosen, '', false)}>{tx`Deny ${count}`}</DenyButton>
            <Button variant="ghost" onClick={() => setWord(true)}>
              {t`Deny with a word…`}
            </Button>
            <Button variant="ghost" onClick={batch.clear}>
              {t`Clear`}
            </Button>
          </>
        )}
      </div>
    </section>
  )
}
