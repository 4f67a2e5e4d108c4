import { focusComposer } from '#renderer/shell/focus.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Keys } from '#renderer/ui/keys.tsx'

/** Decides nothing: the request goes on waiting. */
export function NotNow() {
  return (
    <Button variant="ghost" className="wide-only" onClick={() => focusComposer()}>
      Not now <Keys chord={{ key: 'Escape' }} />
    </Button>
  )
}
