import { consentPieces } from '#app/consent/display/request-title.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import { endLabel } from '#app/consent/request-ending.ts'
import { t } from '#app/i18n/translate.ts'
import { type EndedRequest, withoutEnded } from '#renderer/stores/consent-store.ts'
import { useStores } from '#renderer/stores/store-hooks.tsx'
import { IconButton } from '#renderer/ui/button.tsx'
import { ServerMark } from '#renderer/ui/icon.tsx'
import { Pieces, VisibleText } from '#renderer/ui/visible-text.tsx'

export const endedLabel = (request: ConsentRequest, end: EndedRequest['end']): string => (end ? endLabel(request, end) : t`no longer waits`)

/** The line in place of a request that ended elsewhere: it stays until the person closes it, so that nothing vanishes under the pointer. */
export function EndedLine({ ended: { request, end } }: { readonly ended: EndedRequest }) {
  const { consent } = useStores()
  return (
    <p className="ended-line" data-ended={request.id}>
      <ServerMark name={request.server} />
      <span className="words">
        <Pieces pieces={consentPieces(request)} plain="" /> · <VisibleText text={endedLabel(request, end)} />
        {end?.word && (
          <>
            {' '}
            “<VisibleText text={end.word} />”
          </>
        )}
      </span>
      <IconButton label={t`Dismiss`} icon="close" small onClick={() => consent.setState((state) => withoutEnded(state, request.id))} />
    </p>
  )
}
