import { focusComposer } from '#renderer/shell/focus.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Keys } from '#renderer/ui/keys.tsx'
import { tx } from '#renderer/ui/translate.ts'

interface NotNowProps {
  /** Of what a server asks of the person, which ends without an answer. */
  readonly onPress?: () => void
  /** In a sheet, which Escape closes. */
  readonly sheet?: boolean
}

/** Without `onPress` it decides nothing: the request goes on waiting. */
export function NotNow({ onPress, sheet }: NotNowProps) {
  return (
    <Button
      variant="ghost"
      size={sheet ? 'lg' : 'md'}
      className={onPress ? undefined : 'wide-only'}
      onClick={onPress ?? (() => focusComposer())}
    >
      {tx`Not now ${sheet ? null : <Keys chord={{ key: 'Escape' }} />}`}
    </Button>
  )
}
