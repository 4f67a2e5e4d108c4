// Everything that waits for the person: a list by chat, and beside it one request; narrow windows show one of the two.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ConsentRequest } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { ConsentCard } from '#renderer/features/consent/consent-card.tsx'
import { AllowButton, DenyButton, DenyReason, OnAllSeen } from '#renderer/features/consent/request/answer-buttons.tsx'
import { EndedLine } from '#renderer/features/consent/request/ended-line.tsx'
import { useArming } from '#renderer/features/consent/request/use-arming.ts'
import { focusRequestSoon, focusSoon } from '#renderer/navigation/focus.ts'
import { navigate, type Route } from '#renderer/router.ts'
import { type EndedRequest, endedElsewhere } from '#renderer/stores/consent-store.ts'
import { useConsent, useOverdueCalls, useShallow } from '#renderer/stores/store-hooks.tsx'
import { GhostButton } from '#renderer/ui/button.tsx'
import { Count } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Page } from '#renderer/ui/page.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { type Batch, RequestList, sharedLabel, shownAs, useBatch } from './request-list.tsx'
import './requests.css'

/** The answers to the ticked calls. A change of the selection restarts the pause before Allow. */
function BatchBar({ batch }: { readonly batch: Batch }) {
  const { chosen, busy } = batch
  const bar = useRef<HTMLElement>(null)
  const [word, setWord] = useState(false)
  const arming = useArming(bar, `${word} ${chosen.map((one) => `${one.id} ${shownAs(one)}`).join(' ')}`)
  const count = chosen.length
  return (
    <section className="batchbar" ref={bar} aria-label={t`Chosen calls`}>
      <p role="status">
        <b>{tx`${count} selected`}</b> <VisibleText className="dim" text={sharedLabel(chosen)} />
      </p>
      <div className="row wrap">
        {word ? (
          <DenyReason onDeny={(text, stop) => batch.deny(chosen, text, stop)} onCancel={() => setWord(false)} />
        ) : (
          <>
            <AllowButton keyless arming={arming} blocked={busy} onPress={batch.allowOnce}>
              {count === 1 ? t`Allow once` : t`Allow these ${count} once`}
            </AllowButton>
            <DenyButton keyless onPress={() => batch.deny(chosen, '', false)}>{tx`Deny ${count}`}</DenyButton>
            <GhostButton onClick={() => setWord(true)}>{t`Deny with a word…`}</GhostButton>
            <GhostButton onClick={batch.clear}>{t`Clear`}</GhostButton>
          </>
        )}
      </div>
    </section>
  )
}

const toList = (): void => navigate({ page: 'requests' })

function focusList(): boolean {
  const first = document.querySelector<HTMLElement>('.request-list a.item, .requests-empty')
  first?.focus()
  return first !== null && document.activeElement === first
}

/**
 * The request to show: the one in the address, else the first that waits (wide windows show it beside the list). A shown request that
 * ended elsewhere leaves its line: another card would come under the pointer.
 */
function useShown(id: string | undefined, requests: readonly ConsentRequest[], ended: readonly EndedRequest[]) {
  const last = useRef<string | undefined>(undefined)
  const wanted = id ?? last.current
  const request = requests.find((one) => one.id === wanted)
  const gone = ended.find((one) => one.request.id === wanted)
  const first = requests.toSorted((a, b) => a.createdAt - b.createdAt)[0]
  const next = request ?? (gone ? undefined : first)
  useEffect(() => {
    last.current = next?.id ?? gone?.request.id
  })
  return { request: next, gone: next ? undefined : gone }
}

export function RequestsPage({ route }: { readonly route: Extract<Route, { page: 'requests' }> }) {
  const requests = useConsent((state) => state.requests)
  const ended = useConsent(useShallow(endedElsewhere))
  const waiting = requests.length + useOverdueCalls().length
  const shown = useShown(route.id, requests, ended)
  const batch = useBatch(requests, () => focusSoon(focusList))
  const [read, setRead] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (route.id !== undefined) focusRequestSoon(route.id)
  }, [route])
  const onAllSeen = useCallback((id: string) => setRead((before) => (before.has(id) ? before : new Set([...before, id]))), [])
  const empty = waiting === 0 && ended.length === 0
  return (
    <Page
      title={t`Requests`}
      beside={waiting > 0 ? <Count value={waiting} label={t`waiting`} /> : null}
      onBack={route.id === undefined ? undefined : toList}
    >
      {empty ? (
        <div className="page">
          <div className="in">
            <div className="empty requests-empty" tabIndex={-1}>
              <p className="strong">{t`Nothing waits for you.`}</p>
              <p>{t`Requests appear here and in their chat.`}</p>
            </div>
          </div>
        </div>
      ) : (
        <div className={cx('split', 'requests', route.id === undefined && 'showlist')}>
          <div className="a">
            <RequestList requests={requests} ended={ended} shown={shown.request?.id} read={read} batch={batch} />
            {batch.chosen.length > 0 && <BatchBar batch={batch} />}
          </div>
          <div className="b">
            <div className="in">
              {shown.request && (
                <OnAllSeen value={onAllSeen}>
                  <ConsentCard key={shown.request.id} request={shown.request} />
                </OnAllSeen>
              )}
              {shown.gone && <EndedLine ended={shown.gone} />}
            </div>
          </div>
        </div>
      )}
    </Page>
  )
}
