// Dialog that moves chats to a folder, which may be new; the way to move chats by keyboard.

import { useRef, useState } from 'react'
import { inOrder } from '#app/chat/chat-folder.ts'
import { t } from '#app/i18n/translate.ts'
import { useActions, useConversations } from '#renderer/stores/store-hooks.tsx'
import { FormDialog } from '#renderer/ui/dialog.tsx'
import { RadioList, TextField } from '#renderer/ui/field.tsx'

interface MoveDialogProps {
  readonly from: string | undefined
  /** `folderId` null: into no folder. */
  readonly onMove: (folderId: string | null) => void
  readonly onClose: () => void
}

const none = 'none'
const fresh = 'new'
const folderValue = (id: string): string => `folder ${id}`

export function MoveDialog({ from, onMove, onClose }: MoveDialogProps) {
  const folders = useConversations((state) => state.folders)
  const { ask } = useActions()
  /** First field or choice; by default the dialog would focus its close button. */
  const first = useRef<HTMLElement | null>(null)
  const [value, setValue] = useState(folders.length === 0 ? fresh : from === undefined ? none : folderValue(from))
  const [name, setName] = useState('')
  const move = async (): Promise<void> => {
    const folder = folders.find(({ id }) => folderValue(id) === value)
    const made = value === fresh ? await ask('chatFolder.save', { draft: { name } }) : undefined
    if (value === fresh && !made) return
    onMove(made?.id ?? folder?.id ?? null)
    onClose()
  }
  return (
    <FormDialog
      onClose={onClose}
      title={t`Move to folder …`}
      width={440}
      initialFocus={first}
      submit={t`Move`}
      incomplete={value === fresh && name.trim() === ''}
      onSubmit={move}
      formRef={(form) => {
        first.current =
          form?.querySelector<HTMLElement>('input:not([type=radio])') ?? form?.querySelector<HTMLElement>('input:checked') ?? null
      }}
    >
      <RadioList
        label={t`Folder`}
        value={value}
        onChange={setValue}
        choices={[
          { value: none, label: t`No folder` },
          ...inOrder(folders).map((folder) => ({ value: folderValue(folder.id), label: folder.name })),
          { value: fresh, label: t`A new folder` },
        ]}
      />
      {value === fresh && <TextField label={t`Folder name`} maxLength={100} value={name} onText={setName} />}
    </FormDialog>
  )
}
