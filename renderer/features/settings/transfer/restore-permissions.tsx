// What of a backup gives leave, by kind and count. None of it comes with the chats unless it is ticked.
import { useId } from 'react'
import type { HeldPermission, PermissionKind } from '#app/contract/transfer.ts'
import { listWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { Checkbox } from '#renderer/ui/choices.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { permissionWords } from './backup-words.ts'

interface PermissionsProps {
  readonly held: readonly HeldPermission[]
  readonly bring: readonly PermissionKind[]
  readonly onChange: (bring: readonly PermissionKind[]) => void
}

export function Permissions({ held, bring, onChange }: PermissionsProps) {
  const help = useId()
  if (held.length === 0) return null
  return (
    <fieldset className="stack plain" aria-describedby={help}>
      <legend>{t`It also holds permissions`}</legend>
      <span className="help" id={help}>
        {t`Tick only what you want from it. What you have here stays otherwise.`}
      </span>
      {held.map((one) => (
        <Checkbox
          key={one.kind}
          label={permissionWords(one)}
          checked={bring.includes(one.kind)}
          onChange={(checked) => onChange(checked ? [...bring, one.kind] : bring.filter((kind) => kind !== one.kind))}
          help={one.names.length > 0 && <Revealed text={listWords(one.names)} />}
        />
      ))}
    </fieldset>
  )
}
