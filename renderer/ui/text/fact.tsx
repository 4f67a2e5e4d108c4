import type { ReactNode } from 'react'

interface FactProps {
  readonly label: ReactNode
  /** Classes of the value. */
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** One term of a `<dl>` with its value. */
export const Fact = ({ label, className, children }: FactProps) => (
  <>
    <dt>{label}</dt>
    <dd className={className}>{children}</dd>
  </>
)
