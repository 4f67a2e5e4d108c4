// "3 servers of Cursor are to be added": each with its exact command, before anything of them is written. A yes writes
// them; their launches are asked for one by one.
import type { ConfigImportRequest } from '#app/consent/request.ts'
import { t } from '#app/words/translate.ts'
import { anyHidden } from '#renderer/ui/any-hidden.ts'
import { Badge, ServerMark } from '#renderer/ui/marks.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { CommandLine } from './command-line.tsx'
import { ChangedParts } from './diff-view.tsx'
import { launchDiff } from './launch-diff.ts'
import { Why } from './why.tsx'
import { YesNoAsk } from './yes-no-ask.tsx'

type Imported = ConfigImportRequest['servers'][number]

export function ConfigImportCard({ request }: { readonly request: ConfigImportRequest }) {
  const { servers } = request
  const hidden = anyHidden(JSON.parse(JSON.stringify(servers)))
  return (
    <YesNoAsk
      request={request}
      about={request.id}
      scope="once"
      plain={hidden}
      yes={servers.length === 1 ? t`Take it over` : t`Take over ${servers.length} servers`}
      no={t`Don’t take over`}
      later={false}
    >
      {hidden && (
        <Notice tone="bad" title={t`They hold a character that can’t be seen.`}>
          {t`It is spelled out where it stands. Take it over only if you know why it is there.`}
        </Notice>
      )}
      {servers.map((server) => (
        <ImportedServer key={server.name} server={server} />
      ))}
      <Why>
        {t`You asked for it. They are written to servers.json, and nothing starts: each is asked for by itself before it first runs. If you refuse, nothing is written.`}
      </Why>
    </YesNoAsk>
  )
}

function ImportedServer({ server: { name, from, file, target, secrets, replaces } }: { readonly server: Imported }) {
  return (
    <section className="stack" aria-label={name}>
      <div className="row wrap">
        <ServerMark name={name} />
        <b>
          <Revealed text={name} />
        </b>
        {replaces ? <Badge tone="warn">{t`replaces the one here`}</Badge> : null}
        {secrets.length > 0 ? (
          <Badge>{secrets.length === 1 ? t`1 secret into the secret store` : t`${secrets.length} secrets into the secret store`}</Badge>
        ) : null}
        <span className="help mono wrap-any">
          {from}: <Revealed text={file} />
        </span>
      </div>
      {target ? <CommandLine target={target} /> : <p className="help">{t`It comes with Assent.`}</p>}
      {replaces?.target && target ? <ChangedParts parts={launchDiff(replaces.target, target).changed} /> : null}
    </section>
  )
}
