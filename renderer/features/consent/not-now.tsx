import { focusComposer } from '#renderer/shell/focus.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Keys } from '#renderer/ui/keys.tsx'

/** Decides nothing: the request goes on waiting. `onPress`: of what a server asks of the person, which ends without an answer. */
export function NotNow({ onPress }: { readonly onPress?: () => void }) {
  return (
    <Button variant="ghost" className={onPress ? undefined : 'wide-only'} onClick={onPress ?? (() => focusComposer())}>
      Not now <Keys chord={{ key: 'Escape' }} />
    </Button>
  )
}
