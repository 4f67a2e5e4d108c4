// The context menu: suggestions for a misspelled word, and the system's commands for text.
import { app, type BrowserWindow, type ContextMenuParams, Menu, type MenuItemConstructorOptions } from 'electron'
import { t } from '#app/i18n/translate.ts'

export type ContextParams = Pick<
  ContextMenuParams,
  'isEditable' | 'misspelledWord' | 'dictionarySuggestions' | 'selectionText' | 'editFlags'
>

interface ContextMenuActions {
  readonly replace: (word: string) => void
  readonly learn: (word: string) => void
}

export function offerContextMenu(window: BrowserWindow): void {
  const { webContents } = window
  webContents.on('context-menu', (_event, params) => {
    const template = contextMenu(params, {
      replace: (word) => webContents.replaceMisspelling(word),
      learn: (word) => void webContents.session.addWordToSpellCheckerDictionary(word),
    })
    if (template.length > 0) Menu.buildFromTemplate(template).popup({ window })
  })
}

export function contextMenu(params: ContextParams, { replace, learn }: ContextMenuActions): MenuItemConstructorOptions[] {
  const { isEditable, misspelledWord, dictionarySuggestions, selectionText, editFlags } = params
  const label = roleLabels()
  if (!isEditable) return selectionText.trim() === '' ? [] : [{ role: 'copy', label: label.copy }]
  return [
    ...(misspelledWord === '' ? [] : spelling(misspelledWord, dictionarySuggestions, { replace, learn })),
    { role: 'cut', label: label.cut, enabled: editFlags.canCut },
    { role: 'copy', label: label.copy, enabled: editFlags.canCopy },
    { role: 'paste', label: label.paste, enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', label: label.selectAll, enabled: editFlags.canSelectAll },
  ]
}

function spelling(word: string, suggestions: readonly string[], { replace, learn }: ContextMenuActions): MenuItemConstructorOptions[] {
  const meant = suggestions.map((one): MenuItemConstructorOptions => ({ label: menuText(one), click: () => replace(one) }))
  return [
    ...(meant.length > 0 ? meant : [{ label: t`No suggestion`, enabled: false }]),
    { label: t`Add “${menuText(word)}” to the dictionary`, click: () => learn(word) },
    { type: 'separator' },
  ]
}

/** Shortens a text for a menu, and escapes ampersands, which would underline the next letter. */
export const menuText = (text: string): string => text.slice(0, 100).replaceAll('&', '&&')

/** Labels of the system's commands: Electron's own are English in every language (lib/browser/api/menu-item-roles.ts). */
export function roleLabels() {
  return {
    about: t`About ${app.name}`,
    services: t`Services`,
    hide: t`Hide ${app.name}`,
    hideOthers: t`Hide others`,
    unhide: t`Show all`,
    quit: t`Quit`,
    close: t`Close window`,
    undo: t`Undo`,
    redo: t`Redo`,
    cut: t`Cut`,
    copy: t`Copy`,
    paste: t`Paste`,
    pasteAndMatchStyle: t`Paste as plain text`,
    delete: t`Delete`,
    selectAll: t`Select all`,
    reload: t`Load again`,
    togglefullscreen: t`Full screen`,
    toggleDevTools: t`Developer tools`,
    minimize: t`Minimize`,
    zoom: t`Zoom`,
    front: t`Bring all to front`,
  } as const
}
