import { useRef } from 'react'
import { t } from '#app/words/translate.ts'
import { Icon } from '#renderer/ui/icon.tsx'

export function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        data-attach
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          // The same file can be chosen again.
          target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
      <button type="button" className="pick" aria-label={t`Attach files`} title={t`Attach files`} onClick={() => input.current?.click()}>
        <Icon name="attach" />
      </button>
    </>
  )
}
