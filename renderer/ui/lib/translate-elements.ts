// Messages of the page that hold more than text: a link, a name set in code, a key cap.
import { createElement, Fragment, type ReactNode } from 'react'
import { listParts } from '#app/i18n/format-values.ts'
import { partsOf } from '#app/i18n/translate.ts'

/** Like `t`, with nodes in the places of values: tx`Press ${<kbd>⏎</kbd>} to send`. */
export function tx(parts: TemplateStringsArray, ...values: readonly ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...partsOf(parts, values).map((part) => (typeof part === 'number' ? values[part] : part)))
}

/** “a, b and c” of nodes. */
export const listNodes = (items: readonly ReactNode[]): ReactNode => createElement(Fragment, null, ...listParts(items))
