// Which registry is looked through: the official one, or that of an organisation.
import { useState } from 'react'
import { officialRegistry, registryAddressProblem, tidyRegistryAddress } from '#app/server/registry/address.ts'
import { t } from '#app/words/translate.ts'
import { useActions } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Field, TextInput } from '#renderer/ui/field.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { isTyping } from '#renderer/ui/typing.ts'
import { hostOf } from './registry-words.ts'

export function RegistryAddress({ address }: { readonly address: string }) {
  const [open, setOpen] = useState(false)
  return (
    <p className="registry-address">
      {tx`From ${<span className="mono wrap-any">{hostOf(address)}</span>} · ${(
        <button type="button" className="linkish" onClick={() => setOpen(true)}>
          {t`Change`}
        </button>
      )}`}
      {open ? <AddressDialog address={address} onClose={() => setOpen(false)} /> : null}
    </p>
  )
}

function AddressDialog({ address, onClose }: { readonly address: string; readonly onClose: () => void }) {
  const { set } = useActions()
  const [typed, setTyped] = useState(address)
  const [checked, setChecked] = useState(false)
  const problem = registryAddressProblem(typed.trim())
  const save = (to: string): void => {
    setChecked(true)
    if (registryAddressProblem(to.trim()) !== undefined) return
    set({ registryAddress: tidyRegistryAddress(to) })
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Another registry`}
      footer={
        <>
          {address === officialRegistry ? null : (
            <Button variant="ghost" onClick={() => save(officialRegistry)}>
              {t`Use the official one`}
            </Button>
          )}
          <span className="grow" />
          <Button variant="ghost" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button variant="primary" onClick={() => save(typed)}>
            {t`Use it`}
          </Button>
        </>
      }
    >
      <Field
        label={t`Address of the registry`}
        help={t`Any that speaks the API of the official one. What it lists is as good as those who run it.`}
        error={checked ? problem : undefined}
      >
        {(ids) => (
          <TextInput
            {...ids}
            mono
            type="url"
            placeholder={officialRegistry}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={(event) => event.key === 'Enter' && !isTyping(event) && save(typed)}
          />
        )}
      </Field>
    </Dialog>
  )
}
