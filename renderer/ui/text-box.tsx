// A text area for longer writing, with the browser's own undo. Told a value, React writes it into the element as its default one too,
// at each key, and Chromium then undoes key by key; here only what did not come from the keys is written.
import { type ComponentProps, type RefObject, useLayoutEffect } from 'react'

type TextBoxProps = Omit<ComponentProps<'textarea'>, 'ref' | 'value' | 'defaultValue'> & {
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly value: string
}

export function TextBox({ field, value, ...rest }: TextBoxProps) {
  useLayoutEffect(() => {
    if (field.current && field.current.value !== value) field.current.value = value
  }, [field, value])
  return <textarea {...rest} ref={field} />
}
