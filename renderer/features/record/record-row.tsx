import { memo } from 'react'
import type { AuditRow } from '#app/consent/audit.ts'
import { momentWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { clockTime } from '#renderer/features/servers/log-lines.ts'
import { hrefOf } from '#renderer/router.ts'
import { useConsent } from '#renderer/stores/react.tsx'
import { cx } from '#renderer/ui/class-names.ts'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { byWords, decisionWords, kindWord, leadWords, shortHash, subject } from './record-words.ts'

export const recordColumns = 6

interface RecordRowProps {
  readonly row: AuditRow
  readonly open: boolean
  /** The same function each time, so that of many rows only the one that changes is drawn again. */
  readonly onToggle: (seq: number) => void
}

export const RecordRow = memo(function RecordRow({ row, open, onToggle }: RecordRowProps) {
  const { words, word, tone } = decisionWords(row)
  const about = subject(row)
  const detailId = `entry-${row.seq}`
  return (
    <>
      <tr className={open ? 'opened' : undefined}>
        <td className="r faint opt-col">{row.seq}</td>
        <td className="dim nowrap">{clockTime(row.time)}</td>
        <td>
          <button type="button" className="record-open" aria-expanded={open} aria-controls={detailId} onClick={() => onToggle(row.seq)}>
            <Icon name={open ? 'chevron-down' : 'chevron-right'} small />
            <span className="what">
              <span className="dim">{leadWords(row)}</span> <span className="mono">{[row.server, row.tool].filter(Boolean).join(' ')}</span>{' '}
              {about === undefined ? null : (
                <span className="mono faint">
                  <Revealed text={about} />
                </span>
              )}
            </span>
          </button>
        </td>
        <td className={cx('decision', tone === 'bad' && 'dangertext', tone === 'warn' && 'warntext')}>
          {words || <span className="faint">{kindWord(row.kind)}</span>}
          {word === undefined ? null : (
            <span className="dim">
              {' '}
              “<Revealed text={word} />”
            </span>
          )}
        </td>
        <td className="dim opt-col">{byWords(row.by, row.detail['byHand'] === true)}</td>
        <td className="r mono faint opt-col mid-off nowrap">{shortHash(row.hash)}</td>
      </tr>
      {open ? (
        <tr className="record-more">
          <td colSpan={recordColumns} id={detailId}>
            <RecordDetail row={row} />
          </td>
        </tr>
      ) : null}
    </>
  )
})

function RecordDetail({ row }: { readonly row: AuditRow }) {
  const detail = JSON.stringify(row.detail, null, 2)
  const given = row.detail['ruleId']
  const ruleId = typeof given === 'string' ? given : undefined
  const standing = useConsent((state) => state.rules.some(({ id }) => id === ruleId))
  const allowedBy = row.by === null ? undefined : byWords(row.by, row.detail['byHand'] === true)
  return (
    <div className="stack record-detail">
      <dl className="kv">
        <dt>{t`When`}</dt>
        <dd className="num">
          {momentWords(row.time)} <span className="faint">{new Date(row.time).toISOString()}</span>
        </dd>
        {row.conversationId === null ? null : (
          <>
            <dt>{t`Chat`}</dt>
            <dd>
              <a className="link" href={hrefOf({ page: 'chat', id: row.conversationId })}>
                {t`Open the chat`}
              </a>
            </dd>
          </>
        )}
        {allowedBy === undefined ? null : (
          <>
            <dt>{t`Decided by`}</dt>
            <dd>
              {allowedBy}
              {ruleId === undefined ? null : (
                <>
                  {' '}
                  <a className="link" href={hrefOf({ page: 'record' })}>
                    {standing ? t`Open the rules` : t`The rule stands no more`}
                  </a>{' '}
                  <span className="mono faint">{ruleId}</span>
                </>
              )}
            </dd>
          </>
        )}
        <dt>{t`Hash`}</dt>
        <dd className="mono">{row.hash}</dd>
        <dt>{t`Hash before`}</dt>
        <dd className="mono">{row.previous}</dd>
      </dl>
      {detail === '{}' ? null : (
        <div className="code bare">
          <pre className="wrapit">
            <Revealed text={detail} />
          </pre>
          <CopyButton label={t`Copy the detail`} text={detail} />
        </div>
      )}
    </div>
  )
}
