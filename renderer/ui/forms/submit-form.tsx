import type { ComponentProps } from 'react'

type SubmitFormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { readonly onSubmit: () => unknown }

/** Form whose submission stays on the page. */
export const SubmitForm = ({ onSubmit, ...form }: SubmitFormProps) => (
  <form
    {...form}
    onSubmit={(event) => {
      event.preventDefault()
      void onSubmit()
    }}
  />
)
