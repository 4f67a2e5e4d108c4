// The menu of the sidebar's list: for one chat, for the selected chats, or for a folder.
import { Menu as Base } from '@base-ui/react/menu'
import type { ComponentProps } from 'react'
import type { ChatFolder } from '#app/chat/chat-folder.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import { t } from '#app/i18n/translate.ts'
import { type ChatChanges, chatCount } from '#renderer/features/chat/organize/use-chat-changes.ts'
import { navigate } from '#renderer/router.ts'
import { useActions, useModels } from '#renderer/stores/store-hooks.tsx'
import { MenuItem, MenuSeparator } from '#renderer/ui/menu.tsx'

export interface MenuPosition {
  /** Button of the row, or a point. */
  readonly anchor: ComponentProps<typeof Base.Positioner>['anchor']
  readonly onClosed: () => void
}

function MenuAt({ anchor, onClosed, children }: MenuPosition & { readonly children: React.ReactNode }) {
  return (
    <Base.Root open onOpenChange={(open) => !open && onClosed()}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} side="bottom" align="start" sideOffset={4} className="floating">
          <Base.Popup className="pop menu-list" finalFocus={false}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface ChatMenuProps extends MenuPosition {
  /** One chat, or all selected ones. */
  readonly chats: readonly Conversation[]
  readonly changes: ChatChanges
  readonly onRename: (id: string) => void
  readonly onMove: (ids: readonly string[]) => void
}

export function ChatMenu({ chats, changes, onRename, onMove, ...place }: ChatMenuProps) {
  const { ask } = useActions()
  const models = useModels((state) => state.models)
  const [first] = chats
  if (!first) return null
  const ids = chats.map(({ id }) => id)
  const one = chats.length === 1
  const canTitle = one && models.some(({ id, ai }) => ai && id === first.model)
  const pinned = chats.every((chat) => chat.pinned)
  const many = (verb: string): string => (one ? verb : `${verb} ${chatCount(chats.length)}`)
  return (
    <MenuAt {...place}>
      {one && <MenuItem onSelect={() => onRename(first.id)}>{t`Rename`}</MenuItem>}
      {canTitle && <MenuItem onSelect={() => void ask('conversation.titleAgain', { id: first.id })}>{t`Regenerate title`}</MenuItem>}
      <MenuItem onSelect={() => void changes.change(ids, { kind: pinned ? 'unpin' : 'pin' })}>{many(pinned ? t`Unpin` : t`Pin`)}</MenuItem>
      <MenuItem onSelect={() => onMove(ids)}>{t`Move to folder …`}</MenuItem>
      <MenuItem onSelect={() => void changes.change(ids, { kind: 'archive' })}>{many(t`Archive`)}</MenuItem>
      <MenuSeparator />
      <MenuItem danger onSelect={() => void changes.change(ids, { kind: 'delete' })}>
        {many(t`Delete`)}
      </MenuItem>
    </MenuAt>
  )
}

type FolderMenuProps = MenuPosition & { readonly folder: ChatFolder; readonly changes: ChatChanges }

export function FolderMenu({ folder, changes, ...place }: FolderMenuProps) {
  return (
    <MenuAt {...place}>
      <MenuItem onSelect={() => navigate({ page: 'folder', id: folder.id })}>{t`New chat`}</MenuItem>
      <MenuItem onSelect={() => navigate({ page: 'folder', id: folder.id, edit: true })}>{t`Edit folder`}</MenuItem>
      <MenuItem onSelect={() => navigate({ page: 'chats', folder: folder.id })}>{t`Show chats`}</MenuItem>
      <MenuSeparator />
      <MenuItem danger onSelect={() => void changes.removeFolder(folder.id, folder.name)}>
        {t`Delete folder`}
      </MenuItem>
    </MenuAt>
  )
}
