// Where the card of a request stood that ended without this page's doing: what was asked, and what became of it. It
// stays until the person takes it away, so that nothing simply vanishes under their pointer.
import { endWords } from '#app/consent/ending.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import { consentPieces } from '#app/consent/sentence.ts'
import { t } from '#app/words/translate.ts'
import { type EndedRequest, withoutEnded } from '#renderer/stores/consent.ts'
import { useStores } from '#renderer/stores/react.tsx'
import { IconButton } from '#renderer/ui/button.tsx'
import { ServerMark } from '#renderer/ui/marks.tsx'
import { Pieces } from '#renderer/ui/pieces.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'

export const endedWords = (request: ConsentRequest, end: EndedRequest['end']): string =>
  end ? endWords(request, end) : t`does not wait any more`

export function EndedLine({ ended: { request, end } }: { readonly ended: EndedRequest }) {
  const { consent } = useStores()
  return (
    <p className="ended-line" data-ended={request.id}>
      <ServerMark name={request.server} />
      <span className="words">
        <Pieces pieces={consentPieces(request)} plain="" /> · <Revealed text={endedWords(request, end)} />
        {end?.word && (
          <>
            {' '}
            “<Revealed text={end.word} />”
          </>
        )}
      </span>
      <IconButton
        label={t`Take this line away`}
        icon="close"
        small
        onClick={() => consent.setState((state) => withoutEnded(state, request.id))}
      />
    </p>
  )
}
