import { useEffect, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { Button, type ButtonLook, IconButton } from './button.tsx'

interface CopyButtonProps extends Pick<ButtonLook, 'variant'> {
  readonly text: string | (() => string)
  readonly label: string
  readonly children?: string
}

/** Copies `text`, then says so for a moment. A button with words where there are `children`, else an icon. */
export function CopyButton({ text, label, children, variant }: CopyButtonProps) {
  const actions = useActions()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1600)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => void actions.copy(typeof text === 'string' ? text : text()).then(setCopied)
  const icon = copied ? 'check' : 'copy'
  if (!children) return <IconButton label={copied ? t`Copied` : label} icon={icon} small onClick={copy} />
  return (
    <Button size="sm" variant={variant} icon={icon} onClick={copy}>
      {copied ? t`Copied` : children}
    </Button>
  )
}
