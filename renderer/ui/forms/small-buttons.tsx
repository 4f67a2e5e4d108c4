import type { ComponentProps } from 'react'
import { Button, IconButton } from '../button.tsx'

type SmallButtonProps = Omit<ComponentProps<typeof Button>, 'size' | 'variant'>

export const SmallButton = (props: SmallButtonProps) => <Button size="sm" {...props} />

export const SmallGhostButton = (props: SmallButtonProps) => <Button size="sm" variant="ghost" {...props} />

interface RevealButtonProps {
  readonly shown: boolean
  readonly onToggle: (shown: boolean) => void
  readonly label: string
}

/** Shows or hides a secret that is being typed. */
export const RevealButton = ({ shown, onToggle, label }: RevealButtonProps) => (
  <IconButton small icon="eye" label={label} aria-pressed={shown} onClick={() => onToggle(!shown)} />
)
