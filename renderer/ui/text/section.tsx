import type { ComponentProps, ReactNode } from 'react'

type SectionProps = { readonly title: string; readonly level?: 2 | 3; readonly children: ReactNode }

/** `level` of the heading: 2 on a page of its own, 3 in a pane. */
export const Section = ({ title, level = 3, children }: SectionProps) => (
  <section className="sec">
    {level === 2 ? <h2 className="h3">{title}</h2> : <h3>{title}</h3>}
    {children}
  </section>
)

/** One term of a `<dl>` with its value. */
export const Fact = ({ label, ...value }: { readonly label: ReactNode } & ComponentProps<'dd'>) => (
  <>
    <dt>{label}</dt>
    <dd {...value} />
  </>
)
