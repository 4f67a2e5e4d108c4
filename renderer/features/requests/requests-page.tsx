// Everything that waits for the person: a list by chat, and beside it one request; narrow windows show one of the two.
import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import type { ConsentRequest } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { QuestionView } from '#renderer/features/consent/dock/dock.tsx'
import { questionsOf } from '#renderer/features/consent/dock/questions.ts'
import { EndedLine } from '#renderer/features/consent/request/ended-line.tsx'
import { focusRequestSoon, focusSoon } from '#renderer/navigation/focus.ts'
import { navigate, type Route } from '#renderer/router.ts'
import { type EndedRequest, endedElsewhere } from '#renderer/stores/consent-store.ts'
import { useConsent, useOverdueCalls, useShallow, useStores } from '#renderer/stores/store-hooks.tsx'
import { Count } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { Page } from '#renderer/ui/page.tsx'
import { RequestList } from './request-list.tsx'
import './requests.css'

const toList = (): void => navigate({ page: 'requests' })

function focusList(): boolean {
  const first = document.querySelector<HTMLElement>('.request-list a.item, .requests-empty')
  first?.focus()
  return first !== null && document.activeElement === first
}

/**
 * The question to show: the one in the address, by itself or for all of its group, else the first that waits (wide windows show it beside
 * the list). What was shown and ended elsewhere leaves its line: another card would come under the pointer.
 */
function useShown(id: string | undefined, requests: readonly ConsentRequest[], ended: readonly EndedRequest[]) {
  const drafts = useStore(useStores().requestDrafts.store, (state) => state.byRequest)
  const last = useRef<{ readonly id: string; readonly together: boolean } | undefined>(undefined)
  const asked = id === undefined ? last.current : { id: id.replace(/^with-/, ''), together: id.startsWith('with-') }
  const sorted = requests.toSorted((a, b) => a.createdAt - b.createdAt)
  const gone = ended.find((one) => one.request.id === asked?.id)
  const request = requests.find((one) => one.id === asked?.id) ?? (gone ? undefined : sorted[0])
  const together = request?.id === asked?.id ? asked?.together === true : true
  const near = sorted.filter((one) => one.conversationId === request?.conversationId)
  const question =
    request && questionsOf(together ? near : [request], drafts).find((one) => one.requests.some((each) => each.id === request.id))
  const shownId = request?.id ?? gone?.request.id
  useEffect(() => {
    last.current = shownId === undefined ? undefined : { id: shownId, together }
  })
  return { question, gone: question ? undefined : gone }
}

export function RequestsPage({ route }: { readonly route: Extract<Route, { page: 'requests' }> }) {
  const requests = useConsent((state) => state.requests)
  const ended = useConsent(useShallow(endedElsewhere))
  const waiting = requests.length + useOverdueCalls().length
  const shown = useShown(route.id, requests, ended)
  useEffect(() => {
    if (route.id !== undefined) focusRequestSoon(route.id.replace(/^with-/, ''))
  }, [route])
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
              <p className="strong">{t`No requests`}</p>
              <p>{t`Requests appear here and in their chat.`}</p>
            </div>
          </div>
        </div>
      ) : (
        <div className={cx('split', 'requests', route.id === undefined && 'showlist')}>
          <div className="a">
            <RequestList requests={requests} ended={ended} shown={shown.question} />
          </div>
          <div className="b">
            <div className="in">
              {shown.question && (
                <QuestionView
                  key={shown.question.key}
                  question={shown.question}
                  onWithout={undefined}
                  onApart={(id) => navigate({ page: 'requests', id })}
                  onAnswered={() => focusSoon(focusList)}
                />
              )}
              {shown.gone && <EndedLine ended={shown.gone} />}
            </div>
          </div>
        </div>
      )}
    </Page>
  )
}
