import type { LaunchTarget } from '#app/consent/request.ts'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { WebAddress } from '#renderer/ui/web-address.tsx'

/** What would be started, a line a word, nothing cut off; of variables and headers the names only. */
export function CommandLine({ target }: { readonly target: LaunchTarget }) {
  if (target.transport !== 'stdio') {
    return (
      <>
        <WebAddress url={target.url} />
        <Facts rows={[['Headers', target.headerNames.join(', ') || 'none of yours']]} />
      </>
    )
  }
  return (
    <>
      <div className="cmdline">
        <div>
          <span>program</span>
          <b>
            <Revealed text={target.command} />
          </b>
        </div>
        {target.args.map((arg, index) => (
          <div key={String(index)}>
            <span>{index + 1}</span>
            <div className="arg-word">{arg === '' ? <span className="faint">empty</span> : <Revealed text={arg} />}</div>
          </div>
        ))}
      </div>
      <Facts
        rows={[
          ['Folder', target.cwd ?? 'your home folder'],
          ['Environment', target.envNames.length > 0 ? `${target.envNames.join(', ')}, and the basics` : 'the basics only'],
        ]}
      />
    </>
  )
}

function Facts({ rows }: { readonly rows: readonly (readonly [label: string, value: string])[] }) {
  return (
    <dl className="kv">
      {rows.map(([label, value]) => (
        <div key={label} className="contents">
          <dt>{label}</dt>
          <dd className="mono">
            <Revealed text={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
