import { useRef } from 'react'
import { t } from '#app/i18n/translate.ts'
import { bundleExtensions } from '#app/server/bundle/bundle-download.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { Button, type ButtonLook } from '#renderer/ui/button.tsx'
import { openBundleFile } from './open-bundle.ts'

interface ChooseBundleProps extends ButtonLook {
  readonly children: string
  /** The server that it is to update. */
  readonly server?: string
  readonly className?: string
}

/** Opens the system's own picker, in every shell. */
export function ChooseBundle({ children, server, ...look }: ChooseBundleProps) {
  const actions = useActions()
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...look} onClick={() => picker.current?.click()}>
        {children}
      </Button>
      <input
        ref={picker}
        type="file"
        hidden
        accept={bundleExtensions}
        aria-label={t`Bundle to install`}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) void openBundleFile(actions, file, server)
          target.value = ''
        }}
      />
    </>
  )
}
