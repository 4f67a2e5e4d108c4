import { t } from '#app/i18n/translate.ts'
import { assertNever } from '#app/json.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { Icon, type IconName } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import './sandbox.css'

interface Word {
  readonly icon: IconName
  readonly word: string
  readonly warns?: true
}

/** Says in a word whether a server runs in a sandbox; undefined: there is nothing to say. */
export function sandboxWord({ sandbox, blocked = 0 }: Pick<ServerSummary, 'sandbox' | 'blocked'>): Word | undefined {
  switch (sandbox?.kind) {
    case undefined:
      return undefined
    case 'on':
      return blocked > 0 ? { icon: 'shield', word: t`sandboxed · ${blocked} blocked`, warns: true } : { icon: 'shield', word: t`sandboxed` }
    case 'off':
    case 'missing':
      return { icon: 'shield-off', word: t`not sandboxed`, warns: true }
    case 'not-needed':
      if (sandbox.because === 'builtin') return undefined
      return sandbox.because === 'remote' ? { icon: 'globe', word: t`remote` } : { icon: 'shield', word: t`in a container` }
    default:
      return assertNever(sandbox)
  }
}

export function SandboxWord({ server }: { readonly server: ServerSummary }) {
  const said = sandboxWord(server)
  if (!said) return null
  return (
    <span className={cx('sandbox-word', said.warns && 'warn')}>
      <Icon name={said.icon} />
      {said.word}
    </span>
  )
}
