// A field for anything that describes servers: typed or pasted text, or a text file that is dropped on it.
import { type DragEvent, type RefObject, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { isBundleFile } from '#app/server/bundle/bundle-download.ts'
import { Field, TextArea } from '#renderer/ui/field.tsx'

interface PasteFieldProps {
  readonly area: RefObject<HTMLTextAreaElement | null>
  readonly text: string
  readonly onText: (text: string) => void
}

/** Bytes that the host reads at most. */
const mostBytes = 1_000_000

export function PasteField({ area, text, onText }: PasteFieldProps) {
  const [refused, setRefused] = useState<string | undefined>(undefined)
  const drop = (event: DragEvent): void => {
    const [file] = event.dataTransfer.files
    // The window's own handler opens bundles.
    if (!file || isBundleFile(file.name)) return
    event.preventDefault()
    const large = file.size > mostBytes
    setRefused(large ? t`${file.name} is larger than 1 MB. Paste the part of it that names the servers.` : undefined)
    if (!large) void file.text().then(onText, () => setRefused(t`${file.name} cannot be read.`))
  }
  return (
    <Field label={t`Paste anything`} note={t`a command, an address, JSON from another app`} error={refused}>
      {(ids) => (
        <TextArea
          {...ids}
          mono
          ref={area}
          rows={6}
          placeholder={t`npx -y notes-mcp --dir ~/notes`}
          value={text}
          onChange={(event) => {
            setRefused(undefined)
            onText(event.target.value)
          }}
          onDragOver={(event) => event.preventDefault()}
          onDrop={drop}
        />
      )}
    </Field>
  )
}
