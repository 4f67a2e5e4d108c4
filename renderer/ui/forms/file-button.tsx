import { useRef } from 'react'
import { Button, type ButtonLook } from '../button.tsx'

interface FileButtonProps extends ButtonLook {
  readonly children: string
  /** Name of the file input for screen readers. */
  readonly label: string
  readonly accept?: string
  readonly multiple?: boolean
  readonly busy?: boolean
  readonly className?: string
  readonly onFiles: (files: readonly File[]) => void
}

/** Button that opens the system's own file picker, in every shell; the files are those of the page's machine. */
export function FileButton({ children, label, accept, multiple, busy, onFiles, ...look }: FileButtonProps) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...look} aria-disabled={busy} onClick={() => busy || picker.current?.click()}>
        {children}
      </Button>
      <input
        ref={picker}
        type="file"
        hidden
        accept={accept}
        multiple={multiple}
        aria-label={label}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          if (files.length > 0) onFiles(files)
          target.value = ''
        }}
      />
    </>
  )
}
