// The notice between a request and its buttons about lines that were not in view yet; the buttons know of it.
import { createContext, type ReactNode, useContext, useEffect, useId } from 'react'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { Button } from '#renderer/ui/button.tsx'
import type { Seen } from './use-seen.ts'

/** Id of the notice; undefined once all lines were in view. */
const Unseen = createContext<string | undefined>(undefined)
export const useUnseen = (): string | undefined => useContext(Unseen)

/** Called with the id of each request whose lines were all in view. */
export const OnAllSeen = createContext<((id: string) => void) | undefined>(undefined)

interface AnswerButtonsProps {
  readonly seen: Seen
  readonly requestId?: string
  readonly children: ReactNode
}

/** The buttons of a request: none is highlighted while lines were never in view. */
export function AnswerButtons({ seen, requestId, children }: AnswerButtonsProps) {
  const id = useId()
  const onAllSeen = useContext(OnAllSeen)
  const all = seen.lines === 0
  useEffect(() => {
    if (all && requestId !== undefined) onAllSeen?.(requestId)
  }, [all, requestId, onAllSeen])
  return (
    <Unseen value={all ? undefined : id}>
      {seen.shown && (
        <div className="unseen">
          <Button
            id={id}
            variant="ghost"
            size="sm"
            icon={all || seen.where === 'above' ? 'chevron-up' : 'chevron-down'}
            onClick={seen.goOn}
          >
            {all ? t`Back to the beginning` : linesWords(seen)}
          </Button>
        </div>
      )}
      {children}
    </Unseen>
  )
}

function linesWords({ lines, where }: Seen): string {
  const count = formatNumber(lines)
  if (where === 'above') return lines === 1 ? t`1 line above` : t`${count} lines above`
  return lines === 1 ? t`1 line below` : t`${count} lines below`
}
