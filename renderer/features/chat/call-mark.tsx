import { Icon } from '#renderer/ui/icon.tsx'
import { Dot, Spinner } from '#renderer/ui/marks.tsx'
import type { CallMark as Mark } from './call-words.ts'

export function CallMark({ mark }: { readonly mark: Mark }) {
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
