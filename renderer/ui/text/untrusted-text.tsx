import type { ComponentProps } from 'react'
import { VisibleText } from '../visible-text.tsx'

type UntrustedTextProps = Omit<ComponentProps<'span'>, 'children'> & {
  readonly as?: 'span' | 'p' | 'b' | 'q' | 'li' | 'dd' | 'dt' | 'td' | 'div'
  /** Undefined: nothing is drawn. */
  readonly text: string | undefined
}

/** Text of a server, a publisher or a file, in an element of its own; characters that cannot be seen are named. */
export function UntrustedText({ as: Element = 'span', text, ...attributes }: UntrustedTextProps) {
  if (text === undefined) return null
  return (
    <Element {...(attributes as object)}>
      <VisibleText text={text} />
    </Element>
  )
}
