// A server's request for roots (MCP, "Roots"): the folders, those that are new to it, and those that are left out since they are gone.

import { useState } from 'react'
import type { ConsentRequestOf, ConsentScope } from '#app/consent/request.ts'
import { pathOfFileUri } from '#app/consent/rules/file-path.ts'
import { t } from '#app/i18n/translate.ts'
import { RadioList } from '#renderer/ui/field.tsx'
import { useOs } from '#renderer/ui/lib/key-chords.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { WarnNotice } from '#renderer/ui/notice.tsx'
import { Fact } from '#renderer/ui/text/section.tsx'
import { anyHidden, ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'
import { WhyAsked } from './request/request-frame.tsx'
import { YesNoRequest } from './request/yes-no-request.tsx'
import { ArgumentValue } from './tool-call/argument-list.tsx'

export function RootsCard({ request }: { readonly request: ConsentRequestOf<'roots'> }) {
  const os = useOs()
  const [scope, setScope] = useState<ConsentScope>('once')
  const { server, roots, agreed = [], missing = [] } = request
  const told = (isOld: boolean): string[] =>
    roots.filter(({ uri }) => agreed.includes(uri) === isOld).map(({ uri }) => pathOfFileUri(uri, os))
  const [fresh, old] = [told(false), told(true)]
  const paths = [...fresh, ...old]
  const gone = <VisibleText className="mono wrap-any" text={missing.join(', ')} />
  return (
    <YesNoRequest
      request={request}
      content={[...paths, scope].join('\n')}
      allowed={{ scope }}
      plain={anyHidden(paths)}
      yes={tx`Share with ${<ServerName name={server} />}`}
      no={t`Don’t share`}
    >
      <dl className="args">
        <Folders label={old.length > 0 ? t`new to it` : undefined} paths={fresh} />
        <Folders label={t`agreed before`} paths={old} />
      </dl>
      {missing.length > 0 && (
        <WarnNotice title={missing.length === 1 ? t`A folder you chose is not there now.` : t`Folders you chose are not there now.`}>
          {missing.length === 1
            ? tx`${gone}. ${<ServerName name={server} />} is not told of it.`
            : tx`${gone}. ${<ServerName name={server} />} is not told of them.`}
        </WarnNotice>
      )}
      <RadioList
        label={t`How long it may be told`}
        value={scope}
        choices={[
          { value: 'once', label: t`Once` },
          ...(request.conversationId === undefined ? [] : [{ value: 'conversation', label: t`For this conversation` } as const]),
          { value: 'always', label: t`Always`, help: t`“Always” is for these folders: it asks again when one is added` },
        ]}
        onChange={setScope}
        inline
      />
      <WhyAsked>{tx`Servers see the path. What ${<ServerName name={server} />} can read there is up to its program.`}</WhyAsked>
    </YesNoRequest>
  )
}

function Folders({ label, paths }: { readonly label: string | undefined; readonly paths: readonly string[] }) {
  const [only] = paths
  if (only === undefined) return null
  return (
    <Fact label={label ?? (paths.length === 1 ? t`folder` : t`folders`)}>
      <ArgumentValue at="" value={paths.length === 1 ? only : [...paths]} />
    </Fact>
  )
}
