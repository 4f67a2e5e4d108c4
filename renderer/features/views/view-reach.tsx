// Where a view reaches, place by place, and what it wanted beside that and does not get.
import type { RefusedDomain } from '#app/apps/domains.ts'
import type { OpenedView, ViewPermission } from '#app/apps/view.ts'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { AddressName } from '#renderer/ui/web-address.tsx'

type Reach = Pick<OpenedView, 'domains' | 'refused' | 'refusedPermissions'>

const whyWords: Readonly<Record<RefusedDomain['why'], string>> = {
  'not-an-origin': 'not the address of one place',
  insecure: 'not encrypted',
  wildcard: 'wider than one owner’s domain',
  private: 'inside your own network',
  'too-many': 'more than are looked at',
  frames: 'pages of others inside it',
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
          <dt>Talks to</dt>
          <dd>
            <Places sources={connect} />
          </dd>
        </>
      )}
      {resource.length > 0 && (
        <>
          <dt>Loads from</dt>
          <dd>
            <Places sources={resource} />
          </dd>
        </>
      )}
      {refused.length > 0 && (
        <>
          <dt>Not given</dt>
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
            </ul>
          </dd>
        </>
      )}
      {refusedPermissions.length > 0 && (
        <>
          <dt>Not given</dt>
          <dd>your {refusedPermissions.map((name) => permissionWords[name]).join(', ')}</dd>
        </>
      )}
    </dl>
  )
}

const Places = ({ sources }: { readonly sources: readonly string[] }) => (
  <ul className="plain-list">
    {sources.map((source) => (
      <li key={source}>
        <AddressName url={source} />
      </li>
    ))}
  </ul>
)
