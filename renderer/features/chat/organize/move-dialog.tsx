// Dialog that moves chats to a folder, which may be new; the way to move chats by keyboard.

import { useId, useRef, useState } from 'react'
import { inOrder } from '#app/chat/chat-folder.ts'
import { t } from '#app/i18n/translate.ts'
import { useActions, useConversations } from '#renderer/stores/store-hooks.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { RadioList, SubmitForm, TextField } from '#renderer/ui/field.tsx'

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
  const formId = useId()
  /** First field or choice; by default the dialog would focus its close button. */
  const first = useRef<HTMLElement | null>(null)
  const [value, setValue] = useState(folders.length === 0 ? fresh : from === undefined ? none : folderValue(from))
  const [name, setName] = useState('')
  const move = async (): Promise<void> => {
    const folder = folders.find(({ id }) => folderValue(id) === value)
    if (value === fresh && name.trim() === '') return
    const made = value === fresh ? await ask('chatFolder.save', { draft: { name } }) : undefined
    if (value === fresh && !made) return
    onMove(made?.id ?? folder?.id ?? null)
    onClose()
  }
  return (
    <Dialog
      onClose={onClose}
      title={t`Move to folder …`}
      width={440}
      initialFocus={first}
      footer={
        <>
          <span className="grow" />
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button type="submit" form={formId} variant="primary" disabled={value === fresh && name.trim() === ''}>
            {t`Move`}
          </Button>
        </>
      }
    >
      <SubmitForm
        id={formId}
        className="stack"
        ref={(form) => {
          first.current =
            form?.querySelector<HTMLElement>('input:not([type=radio])') ?? form?.querySelector<HTMLElement>('input:checked') ?? null
        }}
        onSubmit={move}
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
      </SubmitForm>
    </Dialog>
  )
}
