// A text area for longer writing, with the browser's own undo. Told a value, React writes it into the element as its default one too,
// at each key, and Chromium then undoes key by key; here only what did not come from the keys is written. (A step of undo also ends
// wherever any node of the page is taken away, be it in a text area without any code around it. That is Chromium's: while an answer
// streams, what is typed in one go is taken back in several steps.)
import { type ComponentProps, type RefObject, useLayoutEffect } from 'react'

type TextBoxProps = Omit<ComponentProps<'textarea'>, 'ref' | 'value' | 'defaultValue'> & {
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly value: string
}

export function TextBox({ field, value, ...rest }: TextBoxProps) {
  // Each time it is drawn: what was typed may not be what its owner made of it.
  useLayoutEffect(() => {
    if (field.current && field.current.value !== value) field.current.value = value
  })
  return <textarea {...rest} ref={field} />
}
