import type { ComponentProps } from 'react'
import { hrefOf, type Route } from '#renderer/router.ts'
import { Button, IconButton, LinkButton } from '../button.tsx'

type SmallButtonProps = Omit<ComponentProps<typeof Button>, 'size' | 'variant'>

export const SmallButton = (props: SmallButtonProps) => <Button size="sm" {...props} />

export const SmallGhostButton = (props: SmallButtonProps) => <Button size="sm" variant="ghost" {...props} />

/** Small link to a page, drawn as a button. */
export const SmallLink = ({ to, ...link }: Omit<ComponentProps<typeof LinkButton>, 'size' | 'href'> & { readonly to: Route }) => (
  <LinkButton size="sm" href={hrefOf(to)} {...link} />
)

interface RevealButtonProps {
  readonly shown: boolean
  readonly onToggle: (shown: boolean) => void
  /** Label for the present state: shows it, or hides it. */
  readonly label: string
}

/** Shows or hides a secret that is being typed. */
export const RevealButton = ({ shown, onToggle, label }: RevealButtonProps) => (
  <IconButton small icon="eye" label={label} aria-pressed={shown} onClick={() => onToggle(!shown)} />
)
