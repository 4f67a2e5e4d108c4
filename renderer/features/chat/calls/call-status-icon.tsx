import { Dot, Spinner } from '#renderer/ui/badges.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import type { CallStatusMark } from './call-labels.ts'

export function CallStatusIcon({ mark }: { readonly mark: CallStatusMark }) {
  switch (mark) {
    case 'ring':
      return <Spinner />
    case 'you':
      return <Dot tone="you" />
    case 'off':
      return <Dot tone="off" />
    default:
      return <Icon name={mark} />
  }
}
