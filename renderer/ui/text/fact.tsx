import type { ComponentProps } from 'react'

/** One term of a `<dl>` with its value. */
export const Fact = ({ label, ...value }: { readonly label: string } & ComponentProps<'dd'>) => (
  <>
    <dt>{label}</dt>
    <dd {...value} />
  </>
)
