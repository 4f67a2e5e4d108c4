import { useEffect, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { Button, IconButton } from './button.tsx'

/** Copies `text`, then says so for a moment. With `children` a button with words, else an icon. */
export function CopyButton({
  text,
  label,
  children,
  variant = 'plain',
}: {
  readonly text: string | (() => string)
  readonly label: string
  readonly children?: string
  readonly variant?: 'plain' | 'ghost'
}) {
  const actions = useActions()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1600)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = (): void => {
    void actions.copy(typeof text === 'string' ? text : text()).then(setCopied)
  }
  if (children) {
    return (
      <Button size="sm" variant={variant} icon={copied ? 'check' : 'copy'} onClick={copy}>
        {copied ? t`Copied` : children}
      </Button>
    )
  }
  return <IconButton label={copied ? t`Copied` : label} icon={copied ? 'check' : 'copy'} small onClick={copy} />
}
