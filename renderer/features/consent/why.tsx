import type { ReactNode } from 'react'
import { Icon } from '#renderer/ui/icon.tsx'

export function Why({ children }: { readonly children: ReactNode }) {
  return (
    <p className="why">
      <Icon name="info" small />
      <span>{children}</span>
    </p>
  )
}
