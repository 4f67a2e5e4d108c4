// The context menu: suggestions for a misspelled word, and the system's commands for text.
import { type BrowserWindow, type ContextMenuParams, Menu, type MenuItemConstructorOptions } from 'electron'
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
  if (!isEditable) return selectionText.trim() === '' ? [] : [{ role: 'copy' }]
  return [
    ...(misspelledWord === '' ? [] : spelling(misspelledWord, dictionarySuggestions, { replace, learn })),
    { role: 'cut', enabled: editFlags.canCut },
    { role: 'copy', enabled: editFlags.canCopy },
    { role: 'paste', enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', enabled: editFlags.canSelectAll },
  ]
}

function spelling(word: string, suggestions: readonly string[], { replace, learn }: ContextMenuActions): MenuItemConstructorOptions[] {
  const meant = suggestions.map((one): MenuItemConstructorOptions => ({ label: literal(one), click: () => replace(one) }))
  return [
    ...(meant.length > 0 ? meant : [{ label: t`No suggestion`, enabled: false }]),
    { label: t`Add “${literal(word)}” to the dictionary`, click: () => learn(word) },
    { type: 'separator' },
  ]
}

/** Escapes ampersands, which would underline the next letter. */
const literal = (text: string): string => text.slice(0, 100).replaceAll('&', '&&')
