// Signed permissions that do not count, or that were signed for the first time: what they are, and the person's choice.
import { useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { type SignedChoice, type SignedItem, type SignedReport, signedReasonText } from '#app/signed-state.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { SmallButton } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'

const kindLabel = ({ kind }: SignedItem): string =>
  ({
    rules: t`Rule`,
    launches: t`Launch`,
    trust: t`Trusted server`,
    views: t`MCP App`,
    folders: t`Folders of a server`,
    sampling: t`Sampling budget`,
    endpoints: t`Model endpoint`,
    settings: t`Setting`,
    schema: t`Removed: not from Assent`,
  })[kind]

const effectLabel = (effect: NonNullable<SignedItem['effect']>): string => ({ allow: t`allow`, ask: t`ask`, deny: t`deny` })[effect]

const changeLabel = (change: NonNullable<SignedItem['change']>): string =>
  ({ added: t`new`, changed: t`changed`, removed: t`missing` })[change]

function Item({ item }: { readonly item: SignedItem }) {
  const { name, effect, change } = item
  return (
    <li className="wrap-any">
      {change && <strong>{changeLabel(change)} </strong>}
      {kindLabel(item)}
      {effect && ` (${effectLabel(effect)})`}: <VisibleText text={name} />
    </li>
  )
}

export function PermissionsNotice({ report }: { readonly report: SignedReport }) {
  const { reason, items, more, token } = report
  const { ask } = useActions()
  const [busy, setBusy] = useState(false)
  const isFirst = reason === 'first'
  const settle = async (choice: SignedChoice): Promise<void> => {
    setBusy(true)
    if (token !== undefined) await ask('permissions.settle', { choice, token })
    setBusy(false)
  }
  return (
    <Notice
      tone={isFirst ? 'plain' : 'bad'}
      title={signedReasonText(report)}
      action={
        token !== undefined && (
          <span className="row wrap">
            <SmallButton disabled={busy} onClick={() => void settle('use')}>
              {isFirst ? t`These are mine` : t`Use what is listed`}
            </SmallButton>
            <SmallButton disabled={busy} onClick={() => void settle('none')}>
              {t`Start with none`}
            </SmallButton>
          </span>
        )
      }
    >
      {isFirst
        ? t`Check that all are yours. Later changes by other programs are reported.`
        : token === undefined
          ? t`None is used. Unlock the keyring and restart Assent.`
          : t`None is used: you are asked for everything until you choose.`}
      <ul className="signed-items">
        {items.map((item, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced whole, and two items may say the same.
          <Item key={at} item={item} />
        ))}
        {more > 0 && <li>{t`and ${more} more`}</li>}
      </ul>
    </Notice>
  )
}
