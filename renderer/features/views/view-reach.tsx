// Where a view reaches, place by place, and what it wanted beside that and does not get.
import type { RefusedDomain } from '#app/apps/domains.ts'
import type { OpenedView, ViewPermission } from '#app/apps/view.ts'
import { t } from '#app/words/translate.ts'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { SourceName } from '#renderer/ui/web-address.tsx'

type Reach = Pick<OpenedView, 'domains' | 'refused' | 'refusedPermissions'>

const whyWords: Readonly<Record<RefusedDomain['why'], string>> = {
  'not-an-origin': t`not the address of one place`,
  insecure: t`not encrypted`,
  wildcard: t`wider than one owner’s domain`,
  private: t`inside your own network`,
  'too-many': t`more than are looked at`,
  frames: t`pages of others inside it`,
}
const permissionWords: Readonly<Record<ViewPermission, string>> = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'place',
  clipboardWrite: 'clipboard',
}

export function ViewReach({ domains: { connect, resource }, refused, refusedPermissions }: Reach) {
  return (
    <dl className="kv">
      {connect.length > 0 && (
        <>
          <dt>{t`Talks to`}</dt>
          <dd>
            <Places sources={connect} />
          </dd>
        </>
      )}
      {resource.length > 0 && (
        <>
          <dt>{t`Loads from`}</dt>
          <dd>
            <Places sources={resource} />
          </dd>
        </>
      )}
      {refused.length + refusedPermissions.length > 0 && (
        <>
          <dt>{t`Not given`}</dt>
          <dd>
            <ul className="plain-list">
              {refused.map(({ text, why }) => (
                <li key={`${why} ${text}`}>
                  <span className="mono">
                    <Revealed text={text} />
                  </span>{' '}
                  <span className="dim">{whyWords[why]}</span>
                </li>
              ))}
              {refusedPermissions.length > 0 && <li>{tx`your ${refusedPermissions.map((name) => permissionWords[name]).join(', ')}`}</li>}
            </ul>
          </dd>
        </>
      )}
    </dl>
  )
}

const Places = ({ sources }: { readonly sources: readonly string[] }) => (
  <ul className="plain-list">
    {sources.map((source) => (
      <li key={source}>
        <SourceName source={source} />
      </li>
    ))}
  </ul>
)
